import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { parseJson } from '../../schema/json.ts';
import { RunReport } from '../../schema/tests/run-report.ts';

/** The folder of stored runs in a data folder. */
export function runsFolder(dataFolder: string): string {
  return join(dataFolder, 'runs');
}

export function writeRun(folder: string, report: RunReport): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${report.id}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
  return path;
}

/** The name of an attacked agent in reports, so that runs of its cases are compared with runs of its cases. */
export function attackName({ name }: Pick<Agent, 'name'>): string {
  return `${name} --attack`;
}

/** The ids of the stored runs, newest first: ids sort by time. */
export function listRuns(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /^[0-9A-Z]{26}\.json$/.test(name));
    return names
      .map((name) => name.slice(0, -'.json'.length))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

/** A stored run; undefined if there is none, or if another version wrote it. */
export function readRun(folder: string, id: string): RunReport | undefined {
  if (!/^[0-9A-Z]{26}$/.test(id)) return undefined;
  try {
    return RunReport.safeParse(parseJson(readFileSync(join(folder, `${id}.json`), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The newest run with this name, before a run if one is given. */
export function readLastRun(folder: string, agent: string, before?: string): RunReport | undefined {
  for (const id of listRuns(folder)) {
    if (before !== undefined && id >= before) continue;
    const run = readRun(folder, id);
    if (run?.agent === agent) return run;
  }
  return undefined;
}

/** The run with this id or the beginning of it, or in this file. Throws if there is none. */
export function findRun(folder: string, wanted: string): RunReport {
  const ids = listRuns(folder).filter((id) => id.startsWith(wanted.toUpperCase()));
  const [id] = ids;
  const run = ids.length === 1 && id !== undefined ? readRun(folder, id) : undefined;
  if (run) return run;
  const known = listRuns(folder).slice(0, 5).join(', ') || 'none';
  const problem = ids.length > 1 ? 'several runs begin with' : 'there is no run';
  throw new AppError('usage', { detail: `--compare: ${problem} ${wanted}. The newest runs: ${known}` });
}
