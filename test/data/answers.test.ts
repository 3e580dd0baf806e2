import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, openDesk } from '../../scripts/data/ask-retail.ts';
import { MUTATIONS, mutate } from '../../scripts/data/mutated-questions.ts';
import { judgeAll, OUTSIDE_SETS, readConversations, readQuestions } from '../../scripts/data/outside.ts';
import { askBack, compareQueries, makeQuestions } from '../../scripts/data/round-trip.ts';
import { readShop } from '../../scripts/data/shop.ts';
import { createChance } from '../../scripts/retail-chance.ts';

/** The short form of `npm run eval:data`: the same judges over fewer questions, with a fixed seed. */
const shop = readShop();
const SEED = 7;
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

  it('are computed like the plain computation, and never for another query with high confidence', async () => {
    const trips = [];
    for (const question of makeQuestions(shop, createChance(SEED), 170))
      trips.push(await askBack(desk, shop, question));
    expect(trips.filter(({ outcome }) => outcome === 'other, high').map(({ asked }) => asked.text)).toEqual([]);
    expect(trips.flatMap(({ difference, asked }) => (difference ? [`${asked.text}: ${difference}`] : []))).toEqual([]);
    expect(trips.filter(({ outcome }) => outcome.startsWith('same')).length).toBeGreaterThan(trips.length * 0.95);
  });

  it('are never high for another question after a change of its words', async () => {
    const chance = createChance(SEED);
    const changed: string[] = [];
    for (const question of makeQuestions(shop, createChance(SEED + 1), 80)) {
      const mutation = chance.pick(MUTATIONS);
      const mutated = mutate(question, mutation, chance);
      if (!mutated) continue;
      const answer = await desk.ask(mutated.text);
      const { query } = mutated;
      const isOther = query
        ? compareQueries({ model: question.model, query }, answer, shop) === 'other, high'
        : answer.confidence === 'high';
      if (isOther) changed.push(`${mutation}: ${mutated.text}`);
    }
    expect(changed).toEqual([]);
  });
});
