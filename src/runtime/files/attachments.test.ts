import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut } from './attachments.ts';

describe('shareOut', () => {
  it('gives short texts whole and shares the rest among the long ones', () => {
    expect(shareOut([100, 5_000, 9_000], 4_100)).toEqual([100, 2_000, 2_000]);
    expect(shareOut([10, 20], 100)).toEqual([10, 20]);
  });

  it('never gives more than there is, nor more than a text has', () => {
    const Lengths = fc.array(fc.nat(100_000), { maxLength: 10 });
    fc.assert(
      fc.property(Lengths, fc.nat(50_000), (lengths, budget) => {
        const shares = shareOut(lengths, budget);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(budget);
        expect(shares.every((share, index) => share <= (lengths[index] ?? 0))).toBe(true);
      }),
    );
  });
});
