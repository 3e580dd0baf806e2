import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../../scripts/retail-chance.ts';
import { pick } from '../long.ts';
import { type Desk, openDesk } from './ask-retail.ts';
import { MUTATIONS, mutate } from './mutated-questions.ts';
import { askBack, compareQueries, makeQuestions } from './round-trip.ts';
import { readShop } from './shop.ts';

/** The short form of `npm run eval -- data`: the same judges over fewer questions, with a fixed seed. */
const shop = readShop();
const SEED = 7;
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

describe('answers over the retail data', { timeout: 240_000 }, () => {
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
    for (const question of makeQuestions(shop, createChance(SEED + 1), pick(30, 80))) {
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
