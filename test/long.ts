/** True in `npm run test:long`: sweeps take every point, and generators more cases. */
export const isLong = process.env.TEST_LONG === '1';

/** The size of a test in `npm test` and in `npm run test:long`. */
export function pick<T>(short: T, long: T): T {
  return isLong ? long : short;
}

/** All points of a sweep in the long form; in the short one every n-th one, and the last one. */
export function sweep<T>(points: readonly T[], every: number): T[] {
  const step = pick(every, 1);
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
