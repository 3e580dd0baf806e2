import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import { createPost } from '../../models/http-post.ts';
import type { Model } from '../../models/model.ts';
import type { RuntimeOptions } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import { roundCost } from '../../schema/price.ts';
import type { CaseReport, RunReport } from '../../schema/tests/run-report.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';
import type { Tape } from '../cassette/tape.ts';
import { createMeter } from '../metrics/measure.ts';
import { type CaseDeps, type CaseRun, runCase } from './run-case.ts';

export interface SuiteOptions {
  agent: Agent;
  cases: readonly NamedCase[];
  clock: Clock;
  ids: Ids;
  /** Runs of every case; by default the case's own number, else one. */
  repeat?: number;
  /** Cases that run at the same time. */
  parallel?: number;
  /** Begins no further case after one that did not pass. */
  stopsAtFailure?: boolean;
  /** Receives every finished case, in the order of their ends. */
  onCase?(report: CaseReport): void;
  /** Replaces the models that grade. */
  judge?: Model;
  /** Records or repeats a case. */
  tapeFor?(testCase: NamedCase): Tape;
  /** Repeats a recorded case through the fronts; `spaces` holds the databases that all cases share. */
  checkFronts?(testCase: NamedCase, spaces: string): Promise<string | undefined>;
  /** Parts of the runtime of a case, such as its model. */
  partsFor?(testCase: NamedCase): Partial<RuntimeOptions>;
}

/** Runs every case and returns the report, in the order of the cases. */
export async function runSuite(options: SuiteOptions): Promise<RunReport> {
  const { cases, clock, ids, parallel = 1, onCase } = options;
  const agent = quiet(options.agent);
  const startMs = clock.now();
  const started_at = clock.date().toISOString();
  const meter = createMeter({ agent, clock, ids, ...(options.judge && { judge: options.judge }) });
  const spaces = await mkdtemp(join(tmpdir(), 'holodeck-spaces-'));
  const reports = new Map<string, CaseReport>();
  let isStopped = false;
  const run = async (testCase: NamedCase) => {
    if (isStopped) return;
    const parts = options.partsFor?.(testCase);
    const shared: CaseDeps = { agent, clock, ids, measure: meter.measure, spaces, ...(parts && { parts }) };
    const tape = options.tapeFor?.(testCase);
    const report = tape
      ? await runTaped(testCase, { ...shared, tape }, options)
      : await runRepeated(testCase, options.repeat ?? testCase.repeat ?? 1, shared);
    reports.set(testCase.name, report);
    isStopped ||= options.stopsAtFailure === true && report.status !== 'passed';
    onCase?.(report);
  };
  try {
    const [first, ...rest] = cases;
    // The first case makes the databases that all cases share.
    if (first) await run(first);
    await inParallel(rest, parallel, run);
  } finally {
    await meter.close();
    await rm(spaces, { recursive: true, force: true });
  }
  const { provider, name } = agent.model;
  return {
    format: 1,
    id: ids.ulid(),
    agent: agent.name,
    model: [provider, name].filter(Boolean).join(' '),
    started_at,
    ms: Math.round(clock.now() - startMs),
    cases: cases.flatMap((testCase) => reports.get(testCase.name) ?? []),
  };
}

/** Runs a case once with its tape, and with models that grade on the same tape. */
async function runTaped(
  testCase: NamedCase,
  deps: CaseDeps & { tape: Tape },
  { judge, checkFronts }: SuiteOptions,
): Promise<CaseReport> {
  const { agent, clock, ids, spaces = '', tape } = deps;
  const meter = createMeter({ agent, clock, ids, post: tape.judge(createPost()), ...(judge && { judge }) });
  try {
    const fronts = checkFronts && { checkFronts: () => checkFronts(testCase, spaces) };
    return await runRepeated(testCase, 1, { ...deps, measure: meter.measure, ...fronts });
  } finally {
    await meter.close();
  }
}

/** Traces of tests would mix with those of real use. */
function quiet(agent: Agent): Agent {
  return { ...agent, observability: { ...agent.observability, enabled: false } };
}

async function runRepeated(testCase: NamedCase, times: number, deps: CaseDeps): Promise<CaseReport> {
  const runs: CaseRun[] = [];
  for (let index = 0; index < times; index++) runs.push(await runCase(testCase, deps));
  return summarize(testCase, runs);
}

function summarize({ name, pass_rate: least = 1 }: NamedCase, runs: readonly CaseRun[]): CaseReport {
  const passed = runs.filter(({ status }) => status === 'passed').length;
  const shown = runs.find(({ status }) => status !== 'passed') ?? runs[0];
  const rate = passed / runs.length;
  const error = runs.find(({ status }) => status === 'error');
  const turns = runs.flatMap((run) => run.turns);
  const used = turns.flatMap(({ tokens }) => tokens ?? []);
  const costs = turns.flatMap(({ cost_usd }) => cost_usd ?? []);
  return {
    name,
    status: error ? 'error' : rate >= least ? 'passed' : 'failed',
    runs: runs.length,
    passed_runs: passed,
    pass_rate: rate,
    turns: (error ?? shown)?.turns ?? [],
    ...(error?.error !== undefined && { error: error.error }),
    ...(used.length > 0 && { tokens: used.reduce((sum, tokens) => sum + tokens, 0) }),
    // A part of the cost would look like the whole.
    ...(costs.length > 0 &&
      costs.length === turns.length && { cost_usd: roundCost(costs.reduce((sum, cost) => sum + cost, 0)) }),
    ms: Math.round(runs.reduce((sum, { ms }) => sum + ms, 0)),
  };
}

async function inParallel<T>(items: readonly T[], count: number, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, count) }, work));
}
