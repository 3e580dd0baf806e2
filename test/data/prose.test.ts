import { describe, expect, it } from 'vitest';
import { checkProse, scoreProse } from './prose.ts';

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
