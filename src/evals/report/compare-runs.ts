import { roundCost } from '../../schema/price.ts';
import type { CaseReport, RunComparison, RunReport } from '../../schema/tests/run-report.ts';

/** The differences between two runs of an agent; sizes as new minus old, over the cases that both have. */
export function compareRuns(before: RunReport, after: RunReport): RunComparison {
  const old = new Map(before.cases.map((one) => [one.name, one]));
  const both = after.cases.flatMap((now) => {
    const then = old.get(now.name);
    return then ? [{ then, now }] : [];
  });
  const names = new Set(after.cases.map(({ name }) => name));
  const namesOf = (pairs: typeof both) => pairs.map(({ now }) => now.name);
  const tokens = differenceOf(both.map(({ then, now }) => [then.tokens, now.tokens]));
  const cost = differenceOf(both.map(({ then, now }) => [then.cost_usd, now.cost_usd]));
  return {
    with: before.id,
    new_failures: namesOf(both.filter(({ then, now }) => isPassed(then) && !isPassed(now))),
    fixed: namesOf(both.filter(({ then, now }) => !isPassed(then) && isPassed(now))),
    added: after.cases.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.cases.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    ms: Math.round(both.reduce((sum, { then, now }) => sum + now.ms - then.ms, 0)),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { cost_usd: roundCost(cost) }),
  };
}

function isPassed({ status }: CaseReport): boolean {
  return status === 'passed';
}

function differenceOf(pairs: readonly (readonly [number | undefined, number | undefined])[]): number | undefined {
  const known = pairs.flatMap(([then, now]) => (then === undefined || now === undefined ? [] : [now - then]));
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0);
}
