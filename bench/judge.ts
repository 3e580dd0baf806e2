import type { Row } from './compare.ts';

/** A smaller difference means nothing on a shared machine. */
const NOISE = 0.1;

export type Verdict = 'ahead' | 'level' | 'behind';

/** Compares a contestant's number with the best of the other runtimes of this run; undefined without any. */
export function judge({ values }: Row, name: string, peers: readonly string[]): Verdict | undefined {
  const value = values.get(name);
  const others = peers.flatMap((peer) => values.get(peer) ?? []);
  if (value === undefined || others.length === 0) return undefined;
  const best = Math.min(...others);
  if (value < best) return 'ahead';
  return value <= best * (1 + NOISE) ? 'level' : 'behind';
}
