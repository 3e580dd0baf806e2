import { describe, expect, it } from 'vitest';
import { openTalk } from '../../talk-fixture.ts';

const added = async (text: string) =>
  (await openTalk().say(text)).calls.map(({ arguments: { title, due_date } }) =>
    due_date === undefined ? [title] : [title, due_date],
  );

describe('a new task', () => {
  it.each([
    ['gate form friday 3pm, add', [['gate form', '2026-11-20T15:00:00+01:00']]],
    ['we are having guests. Please add: wash towels, clear the hall', [['wash towels'], ['clear the hall']]],
    ['By Friday the forms must be signed, please add sign the forms', [['sign the forms', '2026-11-20']]],
    [
      'Grandma is coming, so we need to wash the towels by Friday, buy a lamp on Thursday and lock the shed',
      [['wash the towels', '2026-11-20'], ['buy a lamp', '2026-11-19'], ['lock the shed']],
    ],
    ['and one more, oil the gate, 3rd December', [['oil the gate', '2026-12-03']]],
    ['add call Ann, call Bob and call Cem as one task', [['call Ann, call Bob and call Cem']]],
    ['add thank the plumber, no particular date', [['thank the plumber']]],
    ['add "plan the budget for 2027" with the due date 3 December', [['plan the budget for 2027', '2026-12-03']]],
    ['add "tidy up before Friday"', [['tidy up before Friday']]],
    ['Please enter "dog licence" for 3 December, 10:00', [['dog licence', '2026-12-03T10:00:00+01:00']]],
    [
      'remind me of the blue pills today at six in the evening, and the eye drops tomorrow at eight in the morning',
      [
        ['the blue pills', '2026-11-15T18:00:00+01:00'],
        ['the eye drops', '2026-11-16T08:00:00+01:00'],
      ],
    ],
    ['add paint the wall a week on Friday', [['paint the wall', '2026-11-27']]],
    ['add fetch Ann on the 24th at three in the afternoon', [['fetch Ann', '2026-11-24T15:00:00+01:00']]],
  ])('%s', async (text, expected) => {
    expect(await added(text)).toEqual(expected);
  });

  it('keeps an order before another one', async () => {
    const said = await openTalk().say('remind me to pay rent. Please add milk');
    expect(said.calls.map(({ arguments: { title } }) => title)).toEqual(['pay rent', 'milk']);
  });
});
