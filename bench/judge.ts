import type { Row } from './compare.ts';
import type { Contestant } from './contestant.ts';

/** A smaller difference means nothing on a shared machine. */
const NOISE = 0.1;
/** An earlier build runs in turn with the present one, which leaves less noise. */
const WORSE = 0.05;
/** The most that an answer may cost in multiples of the floor that flushes as often. */
const MOST_KEPT = 1.6;

export type Verdict = 'ahead' | 'level' | 'behind';
type Named = Pick<Contestant, 'name' | 'kind'>;

/** Compares a contestant's number with the best of the other runtimes of this run; undefined without any. */
export function judge({ values }: Row, name: string, peers: readonly string[]): Verdict | undefined {
  const value = values.get(name);
  const others = peers.flatMap((peer) => values.get(peer) ?? []);
  if (value === undefined || others.length === 0) return undefined;
  const best = Math.min(...others);
  if (value < best) return 'ahead';
  return value <= best * (1 + NOISE) ? 'level' : 'behind';
}

/** Rows in which the present build costs over 5 % more than the earlier one, each with both numbers. */
export function findWorse(rows: readonly Row[], all: readonly Named[]): Map<string, string> {
  const worse = rows.flatMap(({ what, unit, values }) =>
    ofKind(all, 'ours').flatMap((name): [string, string][] => {
      const now = values.get(name) ?? Number.NaN;
      const before = values.get(name.replace('holodeck', 'before')) ?? Number.NaN;
      const change = `${before.toFixed(2)} → ${now.toFixed(2)} ${unit} (× ${(now / before).toFixed(2)})`;
      return now > before * (1 + WORSE) ? [[`${what}, ${name}`, change]] : [];
    }),
  );
  return new Map(worse);
}

/** Rows in which HoloDeck misses a promise beside servers that keep their data too: it leads, at 1.6 of their floor. */
export function findMissed(rows: readonly Row[], all: readonly Named[]): string[] {
  const peers = ofKind(all, 'peer-kept');
  if (peers.length === 0) return [];
  return rows.flatMap((row) =>
    ofKind(all, 'ours').flatMap((name) => {
      const ratio = (row.values.get(name) ?? Number.NaN) / (row.values.get('flushing floor') ?? Number.NaN);
      const verdict = judge(row, name, peers);
      const isMet = (verdict === undefined || verdict === 'ahead') && !(ratio > MOST_KEPT);
      return isMet ? [] : [`${row.what}, ${name}: × ${ratio.toFixed(2)} (≤ ${MOST_KEPT}), ${verdict}`];
    }),
  );
}

export function ofKind(all: readonly Named[], kind: Contestant['kind']): string[] {
  return all.filter((one) => one.kind === kind).map(({ name }) => name);
}
