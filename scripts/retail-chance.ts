/** Pseudo-random numbers, the same for the same seed. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number) => from + Math.floor(number() * (to - from + 1));
  const pick = <T>(items: readonly T[]): T => items[whole(0, items.length - 1)] as T; // never empty here
  const weighted = <T>(items: readonly T[], weight: (item: T) => number): T => {
    let left = number() * items.reduce((sum, item) => sum + weight(item), 0);
    for (const item of items) {
      left -= weight(item);
      if (left <= 0) return item;
    }
    return pick(items);
  };
  return { number, whole, pick, weighted };
}
