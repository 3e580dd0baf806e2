import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../../scripts/retail-chance.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { pick, sweep } from '../long.ts';
import { type Desk, openDesk } from './ask-retail.ts';
import { MUTATIONS, mutate } from './mutated-questions.ts';
import { checkProse, scoreProse } from './prose.ts';
import { askBack, checkFigures, compareQueries, makeQuestions } from './round-trip.ts';
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

describe('hostile', () => {
  const FILE = new URL('../fixtures/routing/hostile.tsv', import.meta.url);
  const questions = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk();
  }, 120_000);
  afterAll(() => desk.close());

  it('is never sure of a question that is easily taken for another one', { timeout: 240_000 }, async () => {
    const sure: string[] = [];
    for (const [ask = '', reading] of sweep(questions, 6)) {
      const { confidence, content } = await desk.ask(ask);
      const isMeant = reading !== undefined && content.toLowerCase().startsWith(`${reading.toLowerCase()}.`);
      if (confidence === 'high' && !isMeant) sure.push(`${ask} → ${content}`);
    }
    expect(questions.length).toBeGreaterThan(60);
    expect(sure).toEqual([]);
  });
});

describe('verified', () => {
  const SPACES = ['sales', 'stock', 'reviews'];
  const shop = readShop();
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk();
  }, 120_000);
  afterAll(() => desk.close());

  describe('verified questions of the retail spaces', { timeout: 240_000 }, () => {
    it.each(SPACES)('of %s have high confidence and the figures of a plain computation over the rows', async (name) => {
      const { file } = await loadSpace(`agents/retail/spaces/${name}.yaml`, { root: 'agents/retail' });
      expect(file.verified.length).toBeGreaterThan(3);
      const faults: string[] = [];
      for (const { ask } of file.verified) {
        const answer = await desk.ask(ask);
        const { isComputed, difference } = checkFigures(answer, shop);
        if (answer.confidence !== 'high' || !isComputed || difference !== undefined)
          faults.push(`${ask}: ${answer.confidence}, ${difference ?? (isComputed ? 'equal' : 'not computed')}`);
      }
      expect(faults).toEqual([]);
    });
  });
});

/** Sentences in the styles of several authors, over real results of the retail data. */
describe('checks of the words about a query', { timeout: 120_000 }, () => {
  it.each(['prose.txt', 'prose-heldout.txt'] as const)(
    'catch every changed answer of %s, almost without alarms',
    async (file) => {
      const scores = scoreProse(await checkProse(file));
      for (const { kind, count, marked } of scores) console.log(`${file} ${kind}: ${marked} of ${count} marked`);
      const right = scores.find(({ kind }) => kind === 'right');
      expect(scores.filter(({ kind }) => kind !== 'right').flatMap(({ failures }) => failures)).toEqual([]);
      expect((right?.marked ?? 1) / (right?.count ?? 1)).toBeLessThanOrEqual(0.02);
      expect(scores.map(({ kind }) => kind).toSorted()).toEqual([
        'direction',
        'filter',
        'measure',
        'period',
        'right',
        'whole',
      ]);
    },
  );
});
