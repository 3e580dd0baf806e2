import { expect, it } from 'vitest';
import { UNSURE, writeExtract } from './extract.ts';
import { toQuestion } from './question.ts';

const BEFORE = 'How many days of leave do I get in Leeds?';

it.each([
  ['When is payday?', 'When is payday?'],
  ["what's a bonus", "what's a bonus"],
  ['and in Porto?', 'How many days of leave do I get in ?\nand in Porto?'],
  ['Monitors?', `${BEFORE}\nMonitors?`],
  ['Does it expire?', `${BEFORE}\nDoes it expire?`],
  ['Thanks!', undefined],
])('%s is asked as %j', (message, question) => {
  expect(toQuestion(message, BEFORE)).toBe(question);
});

const passage = (id: string, text: string) => ({
  ...{ id, text, knowledge: 'rules', document: 'a.md', title: 'Passwords', breadcrumb: [], version: '1' },
  ...{ start: 0, end: text.length },
});
const RULES = passage('p1', 'A password has 14 characters. It is changed after a leak. Nobody asks for it.');

it('a sentence with most words of the question is the answer', () => {
  expect(writeExtract('How many characters has a password?', [RULES])).toBe(
    'Passwords: “A password has 14 characters.” [p1]',
  );
});

it('words of the title count for every sentence below it', () => {
  const text =
    'Production closes from 13 to 24 July, using 10 leave days.\n\nUp to 5 days may be carried into the next year.';
  expect(
    writeExtract('How many days of leave do I carry over?', [{ ...passage('p1', text), title: 'Annual leave' }]),
  ).toContain('“Up to 5 days may be carried');
});

it('one with few of them is shown as unsure, with the lines around it', () => {
  const other = passage('p2', 'Doors lock.');
  const lines = writeExtract('How long may a temporary admin password be?', [RULES, other]).split('\n');
  expect([lines[0], lines.filter((line) => line.startsWith('- “')).length, lines.at(-1)]).toEqual([
    UNSURE,
    3,
    '- Passwords [p2]',
  ]);
});

it('a row of a table in a PDF is a line of its own', () => {
  const text =
    'The rates of this sheet hold for all journeys that begin in the year 2026 and replace those\nof the year before.\nOwn car SEK 4.10\nOwn bicycle SEK 1.20';
  expect(writeExtract('What is paid for my own bicycle?', [passage('p1', text)])).toContain(
    '“Own bicycle SEK 1.20” [p1]',
  );
});
