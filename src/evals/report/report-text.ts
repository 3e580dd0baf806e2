import { formatCost } from '../../schema/price.ts';
import {
  type CaseReport,
  countCases,
  type RunComparison,
  type RunReport,
  type TurnReport,
} from '../../schema/tests/run-report.ts';

/** Colors of a terminal, or functions that change nothing. */
export interface Paint {
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

const MARKS = { passed: '✓', failed: '✗', error: '!' } as const;

/** The line of a finished case. */
export function caseLine({ name, status, runs, passed_runs, ms, tokens, cost_usd }: CaseReport, paint: Paint): string {
  const color = { passed: paint.green, failed: paint.red, error: paint.yellow }[status];
  const facts = [
    runs > 1 ? `${passed_runs}/${runs} runs` : '',
    duration(ms),
    tokens === undefined ? '' : `${tokens.toLocaleString('en')} tokens`,
    cost_usd === undefined ? '' : dollars(cost_usd),
  ];
  return `${color(MARKS[status])} ${name}  ${paint.dim(facts.filter(Boolean).join(' · '))}`;
}

/** Why a case did not pass: every expectation with what happened. */
export function failureLines(report: CaseReport, paint: Paint): string[] {
  if (report.status === 'passed') return [];
  const several = report.turns.length > 1;
  return [
    paint.bold(report.name),
    ...(report.error === undefined ? [] : [`  ${paint.yellow('error:')} ${report.error}`]),
    ...report.turns.flatMap((turn, index) => turnLines(turn, several ? `turn ${index + 1}: ` : '', paint)),
  ];
}

function turnLines({ input, failures, metrics }: TurnReport, prefix: string, paint: Paint): string[] {
  const missed = metrics.filter(({ passed }) => !passed);
  if (failures.length + missed.length === 0) return [];
  return [
    `  ${prefix}${paint.dim(`"${input}"`)}`,
    ...failures.flatMap(({ expectation, expected, happened, error }) => [
      `    ${error ? paint.yellow(expectation) : paint.red(expectation)}: expected ${expected}`,
      `      ${error ? 'unknown' : 'happened'}: ${happened}`,
    ]),
    ...missed.map(({ name, score, threshold, reason, error }) =>
      error === undefined
        ? `    ${paint.red(name)}: ${score} is below ${threshold ?? 'what the grader accepts'}${reason ? ` (${reason})` : ''}`
        : `    ${paint.yellow(name)}: could not be measured: ${error}`,
    ),
  ];
}

/** The end of a run: counts, time, and the differences to an earlier run, new failures first. */
export function summaryLines(report: RunReport, comparison: RunComparison | undefined, paint: Paint): string[] {
  const { passed, failed, error } = countCases(report);
  const flaky = report.cases.filter(({ pass_rate }) => pass_rate > 0 && pass_rate < 1).length;
  const counts = [
    paint.green(`${passed} passed`),
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(error > 0 ? [paint.yellow(`${error} with an error`)] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
  ];
  const head = `${report.agent} (${report.model}): ${counts.join(', ')} in ${duration(report.ms)}`;
  return [
    head,
    ...classLines(report, paint),
    ...metricLines(report),
    ...(comparison ? comparisonLines(comparison, paint) : []),
  ];
}

/** Cases per class, for runs that have classes. */
function classLines({ cases }: RunReport, paint: Paint): string[] {
  const byClass = Map.groupBy(
    cases.filter((one) => one.class !== undefined),
    (one) => one.class,
  );
  return [...byClass].map(([name, all]) => {
    const held = all.filter(({ status }) => status === 'passed').length;
    return `  ${(held === all.length ? paint.green : paint.red)(`${held} of ${all.length}`)} ${name}`;
  });
}

/** The mean of every measure that was taken. */
function metricLines({ cases }: RunReport): string[] {
  const all = cases.flatMap(({ turns }) => turns.flatMap(({ metrics }) => metrics));
  const byName = Map.groupBy(all, ({ name }) => name);
  return [...byName].map(([name, scores]) => {
    const known = scores.flatMap(({ score }) => score ?? []);
    const mean = known.reduce((sum, score) => sum + score, 0) / known.length;
    const held = scores.filter(({ passed }) => passed).length;
    return `  ${name}: ${known.length > 0 ? `mean ${mean.toFixed(2)}, ` : ''}${held} of ${scores.length} passed`;
  });
}

/** New and removed cases are no news after a rewrite of the file. */
const MAX_NAMES = 5;

function comparisonLines(comparison: RunComparison, paint: Paint): string[] {
  const { new_failures, fixed, added, removed, ms, tokens, cost_usd } = comparison;
  const list = (title: string, names: readonly string[], max = names.length) => {
    const more = names.length > max ? ` and ${names.length - max} more` : '';
    return names.length > 0 ? [`  ${title}: ${names.slice(0, max).join(', ')}${more}`] : [];
  };
  const change = [
    signed(ms, ' ms'),
    ...(tokens === undefined ? [] : [signed(tokens, ' tokens')]),
    ...(cost_usd === undefined ? [] : [`${cost_usd > 0 ? '+' : ''}${dollars(cost_usd)}`]),
  ].join(', ');
  return [
    paint.dim(`compared with run ${comparison.with}: ${change}`),
    ...list(paint.red('new failures'), new_failures),
    ...list(paint.green('fixed'), fixed),
    ...list('added', added, MAX_NAMES),
    ...list('removed', removed, MAX_NAMES),
  ];
}

function signed(value: number, unit: string): string {
  return `${value > 0 ? '+' : ''}${value.toLocaleString('en')}${unit}`;
}

function dollars(cost: number): string {
  return `${cost < 0 ? '-' : ''}${formatCost(Math.abs(cost))}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
