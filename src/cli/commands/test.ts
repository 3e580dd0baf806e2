import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { systemClock } from '../../clock.ts';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError, toAppError } from '../../errors.ts';
import { countAttacks, runAttacks } from '../../evals/attack/run-attacks.ts';
import { type NamedCase, readTestCases } from '../../evals/cases/read-test-cases.ts';
import { compareRuns } from '../../evals/report/compare-runs.ts';
import { toJunit } from '../../evals/report/junit.ts';
import { toPromptfoo } from '../../evals/report/promptfoo.ts';
import { caseLine, failureLines, summaryLines } from '../../evals/report/report-text.ts';
import { attackName, findRun, readLastRun, runsFolder, writeRun } from '../../evals/report/run-files.ts';
import { runSuite } from '../../evals/run/run-suite.ts';
import { systemIds } from '../../ids.ts';
import { DEFAULT_AGENT } from '../../runtime/default-folder.ts';
import type { Agent } from '../../schema/agent.ts';
import { type CaseReport, type RunComparison, RunReport } from '../../schema/tests/run-report.ts';
import { sanitizeJson, sanitizeText } from '../../tools/sanitize.ts';
import { caseTapes, standInKeys, type TapeOptions } from '../case-tapes.ts';
import { dataFolder } from '../folders.ts';
import { modelOverrides } from '../model-flag.ts';
import { warn } from '../print.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { watchAgentFolder } from './test-watch.ts';

export interface TestOptions extends TapeOptions {
  filter?: string;
  repeat?: number;
  parallel?: number;
  watch?: boolean;
  json?: boolean;
  /** A file, or true for the output. */
  junit?: string | boolean;
  compare?: string;
  /** Prints the cases for another tool instead of running them. */
  export?: 'promptfoo';
  /** Runs the shipped attacks instead of the cases. */
  attack?: boolean;
  model?: string;
  data?: string;
}

const FAILED = 1;
const NOT_STARTED = 2;
const BAD_CASES = 3;

/** `holodeck test`: runs the agent's cases. Exit 0 passed, 1 failed cases, 2 could not start, 3 a bad case file. */
export async function runTest(given: string | undefined, options: TestOptions): Promise<void> {
  const file = given ?? DEFAULT_AGENT;
  if (!options.watch) {
    process.exitCode = await testOnce(file, options).catch(reportProblem);
    return;
  }
  await watchTests(file, options);
}

/** Returns the exit code. */
async function testOnce(file: string, options: TestOptions): Promise<number> {
  prepareOutput(options);
  if (options.replay) Object.assign(process.env, { ...standInKeys(file), ...process.env });
  const agent = await loadAgent(file, { overrides: modelOverrides(options.model), withTests: true, onWarning: warn });
  const known = await readTestCases(agent);
  const cases = options.attack ? known : selectCases(known, options.filter);
  if (options.export) return printExport(agent, cases);
  const folder = runsFolder(dataFolder(options.data, agent));
  const before = options.compare
    ? findRun(folder, options.compare)
    : readLastRun(folder, options.attack ? attackName(agent) : agent.name);
  const report = await (options.attack ? attack : runCases)(agent, cases, options);
  writeRun(folder, report);
  // A part of the cases says nothing about the others.
  const earlier = before && { ...before, cases: options.filter ? keepNamed(before, report) : before.cases };
  show(report, earlier && compareRuns(earlier, report), options);
  return report.cases.every(({ status }) => status === 'passed') ? 0 : FAILED;
}

/** A report that cannot be written is noticed before the cases run. */
function prepareOutput({ json, junit }: TestOptions): void {
  if (json && junit === true) {
    throw new AppError('usage', { detail: 'The output is JSON or JUnit: give --junit a file, or leave one out.' });
  }
  if (typeof junit !== 'string') return;
  try {
    mkdirSync(dirname(resolve(junit)), { recursive: true });
    closeSync(openSync(junit, 'a'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('usage', { detail: `--junit: ${junit} cannot be written: ${reason}` });
  }
}

function printExport(agent: Agent, cases: readonly NamedCase[]): number {
  const { config, left } = toPromptfoo(agent, cases);
  process.stdout.write(stringify(config));
  if (left.length > 0) warn(`promptfoo has no assertion for ${left.join(', ')}; these were left out`);
  return 0;
}

function keepNamed(before: RunReport, after: RunReport): RunReport['cases'] {
  const names = new Set(after.cases.map(({ name }) => name));
  return before.cases.filter(({ name }) => names.has(name));
}

function selectCases(cases: readonly NamedCase[], filter: string | undefined): NamedCase[] {
  if (cases.length === 0) {
    throw new AppError('cases_invalid', { detail: 'There are no test cases. Add test_cases or test_cases_file.' });
  }
  if (filter === undefined) return [...cases];
  const chosen = cases.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  if (chosen.length > 0) return chosen;
  throw new AppError('usage', { detail: `--filter: no case has "${filter}" in its name.` });
}

async function runCases(agent: Agent, cases: readonly NamedCase[], options: TestOptions): Promise<RunReport> {
  const { repeat, parallel = 2 } = options;
  const parts = { agent, cases, clock: systemClock, ids: systemIds, parallel, ...(repeat && { repeat }) };
  const onCase = showProgress(cases.length, options);
  return runSuite({ ...parts, ...caseTapes(agent, cases, options), onCase });
}

const BUILTIN_ATTACKED =
  'note: the built-in model follows no instructions in texts, so it cannot be injected by construction. A pass proves nothing about other models: run the attacks again with the model that you will use.';

async function attack(agent: Agent, cases: readonly NamedCase[], options: TestOptions): Promise<RunReport> {
  const { filter } = options;
  if (options.record || options.replay) throw new AppError('usage', { detail: 'Attacks are not recorded.' });
  if (agent.model.provider === 'builtin') process.stderr.write(`${BUILTIN_ATTACKED}\n`);
  const onCase = showProgress(countAttacks(agent, filter), options);
  const report = await runAttacks({ agent, cases, clock: systemClock, ids: systemIds, filter, onCase });
  if (report.cases.length > 0) return report;
  throw new AppError('usage', { detail: `--filter: no attack has "${filter}" in its name.` });
}

/** Writes a line for every finished case. */
function showProgress(total: number, options: TestOptions): (report: CaseReport) => void {
  const write = isForProgram(options) ? process.stderr : process.stdout;
  let ended = 0;
  return (report) => {
    ended++;
    const line = caseLine({ ...report, name: sanitizeText(report.name) }, colors);
    write.write(`${colors.dim(`${ended}/${total}`)} ${line}\n`);
  };
}

/** True if the output is a document for programs, so that progress goes elsewhere. */
function isForProgram({ json, junit }: TestOptions): boolean {
  return json === true || junit === true;
}

function show(report: RunReport, comparison: RunComparison | undefined, options: TestOptions): void {
  const { json, junit } = options;
  if (typeof junit === 'string') writeFileSync(junit, toJunit(report));
  if (json) process.stdout.write(`${JSON.stringify({ ...report, ...(comparison && { comparison }) }, null, 2)}\n`);
  else if (junit === true) process.stdout.write(toJunit(report));
  else process.stdout.write(reportText(report, comparison));
}

/** The failures, new ones first, then the summary. */
function reportText(given: RunReport, comparison: RunComparison | undefined): string {
  // Answers and tool results may hold sequences that control a terminal.
  const report = RunReport.parse(sanitizeJson(given));
  const isNew = (name: string) => comparison?.new_failures.includes(name) ?? false;
  const cases = report.cases.toSorted((a, b) => Number(isNew(b.name)) - Number(isNew(a.name)));
  const failures = cases.map((one) => failureLines(one, colors)).filter((lines) => lines.length > 0);
  const blocks = [...failures, summaryLines(report, comparison, colors)];
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Every fault of the agent, its cases or its flags is printed; the code says which it was. */
function reportProblem(error: unknown): number {
  const known = toAppError(error);
  const cause = error instanceof AppError ? '' : `${String(known.cause ?? '')}\n`;
  process.stderr.write(sanitizeText(`${known.message}\n${cause}`));
  if (known.code === 'cases_invalid') return BAD_CASES;
  const areOfTests =
    known.problems.length > 0 && known.problems.every(({ path }) => /^(test_cases|evaluations)/.test(path));
  return areOfTests ? BAD_CASES : NOT_STARTED;
}

/** Runs the cases again after every change in the agent's folder, until Ctrl+C. */
async function watchTests(file: string, options: TestOptions): Promise<void> {
  const folder = dirname(resolve(file));
  const output = isForProgram(options) ? process.stderr : process.stdout;
  const watching = watchAgentFolder(folder, options.data ?? process.env.HOLODECK_DATA);
  process.once('SIGINT', () => process.exit(130));
  for (;;) {
    await testOnce(file, options).catch(reportProblem);
    output.write(`\n${colors.dim(`watching ${folder}; Ctrl+C ends`)}\n`);
    const name = await watching.nextChange();
    output.write(`\n${colors.dim(`${sanitizeText(name)} has changed`)}\n`);
  }
}
