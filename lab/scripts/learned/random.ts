/** Random numbers from a seed: the same seed always gives the same training set. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  chance(share: number): boolean;
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      const index = below(from.length);
      const found = from[index];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
