import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, openDesk } from '../../test/data/ask-retail.ts';
import { judgeAll, OUTSIDE_SETS, readConversations, readQuestions } from '../scripts/data/outside.ts';

/** The short form of `npm run eval -- data`: the first three sets. */
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

describe('answers over the retail data', { timeout: 240_000 }, () => {
  it.each([
    [OUTSIDE_SETS[0], 0.7],
    [OUTSIDE_SETS[1], 0.5],
    [OUTSIDE_SETS[2], 0.25],
  ] as const)('are never wrong with high confidence for the questions of %s', async (set, least) => {
    const singles = readQuestions(set).map((question) => [question]);
    const judged = await judgeAll(desk, [...singles, ...readConversations(set)]);
    const wrong = judged.filter(({ verdict }) => verdict === 'wrong, high');
    expect(wrong.map(({ question, answer }) => `${question.ask} → ${answer.content}`)).toEqual([]);
    const answerable = judged.filter(({ question }) => question.kind === 'answer');
    const right = answerable.filter(({ verdict }) => verdict.startsWith('right'));
    expect(right.length / answerable.length).toBeGreaterThan(least);
  });
});
