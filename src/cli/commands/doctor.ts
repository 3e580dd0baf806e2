import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../../clock.ts';
import { agentJsonSchema } from '../../config/json-schema.ts';
import { readAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import { inspectTools } from '../../kinds/tool-kinds.ts';
import { peekStatus } from '../../knowledge/index/read-status.ts';
import { indexPath } from '../../knowledge/open-knowledge.ts';
import { DEFAULT_AGENT } from '../../runtime/default-folder.ts';
import { findLocalServers, PATIENT } from '../../runtime/local-servers.ts';
import type { Agent } from '../../schema/agent.ts';
import { formatProblem } from '../../yaml/problem.ts';
import { commandText } from '../called-as.ts';
import {
  checkClock,
  checkDatabase,
  checkFolder,
  checkNode,
  checkPort,
  type Finding,
  ok,
  problem,
  warning,
} from '../doctor/check-machine.ts';
import { checkModels, listLocal } from '../doctor/check-model.ts';
import { dataFolder } from '../folders.ts';
import { print } from '../print.ts';
import { hasServers } from '../server-problems.ts';
import { checkServers } from './check.ts';

export interface DoctorOptions {
  json?: boolean;
  data?: string;
}

const USUAL_PORT = 8000;

/** `holodeck doctor`: checks the machine and an agent, and names the remedy of each fault. Changes nothing. */
export async function runDoctor(file: string | undefined, options: DoctorOptions): Promise<void> {
  const findings = await examine(file, options);
  const text = options.json ? JSON.stringify(findings, null, 2) : findings.map(writeLine).join('\n');
  print(text);
  if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
}

function writeLine({ area, state, text, remedy }: Finding): string {
  return `${state.padEnd(8)} ${area.padEnd(9)} ${text}${remedy ? `\n                   → ${remedy}` : ''}`;
}

export async function examine(file: string | undefined, options: DoctorOptions): Promise<Finding[]> {
  const path = file ?? DEFAULT_AGENT;
  const { agent, namesModel = false, findings } = await checkAgent(path);
  const folder = dataFolder(options.data, agent ?? folderOf(path));
  const folderFindings = checkFolder(folder);
  const canRead = folderFindings.every(({ state }) => state !== 'problem');
  const database = agent?.database ?? (process.env.DATABASE_URL || undefined);
  const servers = await findLocalServers(PATIENT);
  return [
    checkNode(),
    checkClock(systemClock.date()),
    ...folderFindings,
    ...(canRead || database ? [await checkDatabase({ database, folder })] : []),
    await checkPort(agent?.server.host ?? '127.0.0.1', agent?.server.port ?? USUAL_PORT, file),
    ...findings,
    ...(agent ? checkModels(agent, namesModel, servers) : []),
    ...(agent?.knowledge ? checkKnowledge(agent, folder, path) : []),
    ...listLocal(servers, agent, namesModel),
    ...(agent && findings.every(({ state }) => state !== 'problem') ? await checkTools(agent, path) : []),
  ];
}

/** A broken file keeps its data next to it, too. */
function folderOf(path: string): { folder: string } | undefined {
  return existsSync(path) ? { folder: dirname(resolve(path)) } : undefined;
}

async function checkAgent(path: string): Promise<{ agent?: Agent; namesModel?: boolean; findings: Finding[] }> {
  const doubts: string[] = [];
  try {
    const { agent, namesModel, locate } = await readAgent(path, { onWarning: (text) => doubts.push(text) });
    const inspection = await inspectTools(agent, { clock: systemClock });
    const faults = [...inspection.findings.map((found) => formatProblem(locate(found))), ...inspection.problems];
    const mend = `Change that line; ${commandText(['check', path])} checks it again`;
    return {
      agent,
      namesModel,
      findings: [
        ...(faults.length === 0 ? [ok('agent', agent.name)] : faults.map((text) => problem('agent', text, mend))),
        ...doubts.map((text) => warning('agent', text, mend)),
        // Gaps in the data of a space are facts, which its answers repeat.
        ...inspection.warnings.map((text) => ok('agent', text)),
        ...checkSchema(path),
      ],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isMissing = error.code === 'config_not_found';
    const remedy = (line: string) => (isMissing ? commandText(['init', 'my-agent']) : adviceIn(line));
    return { findings: error.message.split('\n').map((line) => problem('agent', line, remedy(line))) };
  }
}

/** Many problems of a file say after a semicolon what to do. */
function adviceIn(line: string): string {
  return /; (?<advice>[^;]+)$/.exec(line)?.groups?.advice ?? 'Change that line of the file';
}

/** `init` writes a schema for editors beside the agent; a newer HoloDeck knows more keys. */
function checkSchema(path: string): Finding[] {
  const file = join(dirname(path), 'agent.schema.json');
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() === JSON.stringify(agentJsonSchema(), null, 2)) return [];
  return [warning('schema', `${file} is of another version`, `${commandText(['schema'])} > ${file}`)];
}

async function checkTools(agent: Agent, path: string): Promise<Finding[]> {
  if (!hasServers(agent)) return [];
  const doubts: string[] = [];
  const begun = systemClock.now();
  const more = `${commandText(['check', '--start', path])} shows why`;
  try {
    const { tools, down } = await checkServers(agent, (text) => doubts.push(text));
    const seconds = ((systemClock.now() - begun) / 1000).toFixed(1);
    return [
      ...down.map((name) => problem('tools', `${name} did not start`, more)),
      ...doubts.map((text) => warning('tools', text, more)),
      ...(down.length === 0 ? [ok('tools', `${tools.length} tools of servers after ${seconds} s`)] : []),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem('tools', error.message, more)];
  }
}

/** When the documents of an agent were read, and how many could not be. */
export function checkKnowledge(agent: Agent, data: string, file: string): Finding[] {
  return Object.keys(agent.knowledge ?? {}).map((name) => {
    const status = peekStatus(indexPath(data, agent.name, name));
    if (!status) return ok('knowledge', `${name} is built by the first start`);
    const unread = status.documents.filter(({ state }) => state === 'unread').length;
    const text = `${name}: ${status.documents.length} documents, read ${status.builtAt?.slice(0, 16)}Z`;
    if (unread === 0) return ok('knowledge', text);
    return warning('knowledge', `${text}, ${unread} unread`, `${commandText(['knowledge', 'status', file])} shows why`);
  });
}
