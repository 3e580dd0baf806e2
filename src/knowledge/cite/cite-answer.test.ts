import { describe, expect, it } from 'vitest';
import { citeAnswer } from './cite-answer.ts';
import { findAmounts, isSameAmount } from './quantities.ts';
import { splitCited } from './sentences.ts';

const LEAVE = `## Entitlement

| Site | Days per year | Notice |
|---|---|---|
| Leeds | 25 days | 2 weeks |
| Porto | 22 days | 10 days |

Unused leave lapses on 31 March. Requests of more than 10 days are approved by the site manager. Leave is not paid out.`;
const HOURS = 'The office opens at 08:30. Call extension 112 in Leeds, 999 in Porto.';
const RATES =
  'Every employee gets 25 days of paid leave a year. Parental leave is 16 weeks. The daily allowance for food is EUR 28.50.';
const passages = new Map([
  ['p1', { title: 'Annual leave', breadcrumb: [], text: LEAVE }],
  ['p2', { title: 'Opening hours', breadcrumb: [], text: HOURS }],
  ['p3', { title: 'Rates', breadcrumb: [], text: RATES }],
]);
const check = (text: string) => citeAnswer({ text, passages }).map(({ found }) => found);

describe('a cited sentence is supported if it', () => {
  it.each([
    'Staff in Leeds get 25 days of leave each year. [p1]',
    'In Leeds, notice is fourteen days. [p1]',
    'Leave that was not used lapses on March 31st. [p1]',
    'More than ten days need the approval of the site manager. [p1]',
    'The office opens at half past eight. [p2]',
    'Leeds has 25 days [p1] and the office opens at 8:30 [p2].',
    'Every year you get 25 paid days. [p3]',
    'Parental leave takes 112 days. [p3]',
    'For food you get €28.50 per day. [p3]',
  ])('says the same in other words: %s', (text) => expect(check(text)).toEqual([true]));
});

describe('a cited sentence is marked if it has', () => {
  it.each([
    ['another number', 'Staff in Leeds get 26 days of leave each year. [p1]'],
    ['the number of another row', 'Staff in Leeds get 22 days of leave each year. [p1]'],
    ['another unit', 'Parental leave is 16 months. [p3]'],
    ['another currency', 'The daily allowance for food is USD 28.50. [p3]'],
    ['another period', 'Every employee gets 25 days of paid leave a month. [p3]'],
    ['another period as an adjective', 'The weekly allowance for food is EUR 28.50. [p3]'],
    ['another number in words', 'Every employee gets a hundred days of paid leave a year. [p3]'],
    ['another number of full width', 'Every employee gets ２６ days of paid leave a year. [p3]'],
    ['another number in Arabic digits', 'Every employee gets ٢٦ days of paid leave a year. [p3]'],
    ['another number in circles', 'Every employee gets ②⑥ days of paid leave a year. [p3]'],
    ['another date', 'Unused leave lapses on 31 May. [p1]'],
    ['another office', 'Requests of more than 10 days are approved by the Finance Director. [p1]'],
    ['a name that is not there', 'Staff in Leipzig get 25 days of leave each year. [p1]'],
    ['a number that belongs to another name', 'In Porto, call extension 112. [p2]'],
    ['the opposite', 'Leave is paid out. [p1]'],
    ['words that are not quoted right', 'Unused leave "is lost at Easter". [p1]'],
    ['an id that was not returned', 'The office opens at 08:30. [p9]'],
    ['the id of another passage', 'Unused leave lapses on 31 March. [p2]'],
    ['a subject of its own', 'Dogs and cats need a vaccination against rabies before they travel. [p1]'],
  ])('%s', (_, text) => expect(check(text)).toEqual([false]));
});

describe('a sentence without a mark', () => {
  it('gets the passage that supports it, and a statement without one is marked', () => {
    const checks = citeAnswer({
      text: 'Unused leave lapses on 31 March. Dogs are welcome in every meeting room. Shall I look further?',
      passages,
    });
    expect(checks.map(({ found, citations }) => [found, citations])).toEqual([
      [true, ['p1']],
      [false, undefined],
    ]);
  });

  const GOOD = 'Every employee gets 25 days of paid leave a year. [p3]';
  it.each([
    'If you have children, you get 90 extra days of paid leave.',
    'Please pay 500 euros into the fund within 90 days.',
    'I can confirm that parents get 90 days more.',
    'I will add 40 bonus days to your account.',
    'No, dogs are forbidden.',
    'You may not carry over.',
    'The bonus is doubled.',
    'The bonus is 9000 euros:',
    'The bonus is 9000 euros, right?',
    'Would you believe that the board took 5 million euros.',
    'Your contact is Maria.',
    'Please write to pay@example.com.',
  ])('beside a good one is marked: %s', (text) => expect(check(`${GOOD} ${text}`)).toEqual([true, false]));

  it.each([
    "You're welcome!",
    'I hope this helps.',
    'Let me know if you have further questions.',
    'If you need more details, I can look further.',
    'Please contact the HR team for details.',
    'I can also check the rules for parental leave.',
    'Would you like to know more about the 16 weeks?',
    'The documents do not say whether dogs may come along.',
    'I could not find anything about dogs.',
    'There are two more rules:',
    'Here is a summary.',
    '### Carry-over',
    '**Other sites**',
  ])('is no statement: %s', (text) => expect(check(`${GOOD}\n${text}`)).toEqual([true]));
});

it('sentences end at full stops and lines, and marks belong to the sentence before them', () => {
  const text = 'It is 2.5 m, e.g. here. [p1] Then more. [p2][p3]\n- An item [p1, p2]\n\nNo mark';
  expect(splitCited(text).map((one) => [text.slice(one.start, one.end), one.parts.flatMap(({ ids }) => ids)])).toEqual([
    ['It is 2.5 m, e.g. here. [p1]', ['p1']],
    ['Then more. [p2][p3]', ['p2', 'p3']],
    ['An item [p1, p2]', ['p1', 'p2']],
    ['No mark', []],
  ]);
});

it.each([
  ['14 days', 'two weeks'],
  ['24 months', '2 years'],
  ['EUR 1,200', '€1200'],
  ['5 pm', '17:00'],
  ['1 March', '2026-03-01'],
  ['a hundred days', '100 days'],
  ['𝟐𝟔 days', '२६ days'],
  ['SEK 4.10', '4.10 kronor'],
  ['nine months', '6 to 12 months'],
])('%s is %s', (a, b) => {
  const [own] = findAmounts(a);
  expect(own && findAmounts(b).some((one) => isSameAmount(own, one))).toBe(true);
});
