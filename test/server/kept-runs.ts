import { runsFolder, writeRun } from '../../src/evals/report/run-files.ts';
import type { CaseReport, RunReport, TurnReport } from '../../src/schema/tests/run-report.ts';
import { temporaryFolder } from '../runtime.ts';

const TURN: TurnReport = {
  input: 'remind me to buy milk tomorrow',
  content: "I've added 'buy milk' to your tasks.",
  status: 'completed',
  tools: [{ name: 'add_task', arguments: { title: 'buy milk' }, state: 'completed' }],
  failures: [],
  metrics: [{ name: 'rouge', score: 0.9, threshold: 0.5, passed: true }],
  steps: 2,
  tokens: 0,
  ms: 12,
};

export function passedCase(name: string): CaseReport {
  return { name, status: 'passed', runs: 1, passed_runs: 1, pass_rate: 1, turns: [TURN], tokens: 0, ms: 12 };
}

/** A case whose only turn missed an expectation and a measure. */
export function failedCase(name: string, happened = 'no call of delete_task'): CaseReport {
  const failures = [{ expectation: 'expected_tools', expected: 'a call of delete_task', happened }];
  const metrics = [{ name: 'rouge', score: 0.1, threshold: 0.5, passed: false, reason: 'few words in common' }];
  const turns: TurnReport[] = [{ ...TURN, failures, metrics }];
  return { ...passedCase(name), status: 'failed', passed_runs: 0, pass_rate: 0, turns, ms: 20 };
}

/** Writes runs, oldest first, into a folder of their own, and returns their ids. */
export function writeRuns(runs: readonly Pick<RunReport, 'agent' | 'cases'>[]): { folder: string; ids: string[] } {
  const folder = runsFolder(temporaryFolder());
  const ids = runs.map((run, index) => {
    const started_at = new Date(Date.UTC(2026, 2, 2, 9, index)).toISOString();
    const id = `01K9${String(index).padStart(22, '0')}`;
    const report: RunReport = { format: 1, id, model: 'builtin', started_at, ms: 1_234, ...run };
    writeRun(folder, report);
    return report.id;
  });
  return { folder, ids };
}

/** Two runs of an agent; in the newer one a case fails that passed before. */
export function keepRuns(agent: string): { folder: string; oldest: string; newest: string } {
  const first = { agent, cases: [passedCase('adds'), passedCase('deletes'), passedCase('lists')] };
  const { folder, ids } = writeRuns([first, { agent, cases: [passedCase('adds'), failedCase('deletes')] }]);
  const [oldest = '', newest = ''] = ids;
  return { folder, oldest, newest };
}
