import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../../clock.ts';
import { agentJsonSchema } from '../../config/json-schema.ts';
import { readAgent } from '../../config/load-agent.ts';
import { createEmbedder } from '../../embeddings/embedder.ts';
import { AppError } from '../../errors.ts';
import { inspectTools } from '../../kinds/tool-kinds.ts';
import { peekStatus } from '../../knowledge/index/read-status.ts';
import type { KnowledgeStatus } from '../../knowledge/knowledge.ts';
import { indexPath } from '../../knowledge/open-knowledge.ts';
import { type FoundFile, findFiles } from '../../knowledge/read/find-files.ts';
import { DEFAULT_AGENT } from '../../runtime/default-folder.ts';
import { findLocalServers, PATIENT } from '../../runtime/local-servers.ts';
import type { Agent } from '../../schema/agent.ts';
import type { KnowledgeEntry } from '../../schema/knowledge/entry.ts';
import { isLocalServer, keyVariables } from '../../schema/provider.ts';
import { formatProblem } from '../../yaml/problem.ts';
import { asTyped, commandText } from '../called-as.ts';
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
  const label = area === 'local' ? 'found' : state;
  return `${label.padEnd(8)} ${area.padEnd(9)} ${text}${remedy ? `\n                   → ${remedy}` : ''}`;
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
    ...(agent ? await checkModels(agent, namesModel, servers) : []),
    ...(agent?.knowledge ? await checkKnowledge(agent, folder, path) : []),
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
    const again = `; ${commandText(['check', path])} checks it again`;
    return {
      agent,
      namesModel,
      findings: [
        ...(faults.length === 0 ? [ok('agent', agent.name)] : faults.map((text) => findingOf(problem, text, again))),
        ...doubts.map((text) => findingOf(warning, text, again)),
        // Gaps in the data of a space are facts, which its answers repeat.
        ...inspection.warnings.map((text) => ok('agent', text)),
        ...checkSchema(path),
      ],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'config_not_found')
      return { findings: [problem('agent', asTyped(error.message), commandText(['init', 'my-agent']))] };
    return { findings: error.message.split('\n').map((line) => findingOf(problem, line)) };
  }
}

/** Many problems of a file say at their end what to do; the others say where. */
const ADVICE = /(?:, did you mean (?<meant>.+)\?|.*(?:; (?!known here)|\. (?=[A-Z]))(?<advice>[^;]+))$/;
function findingOf(make: typeof problem, line: string, again = ''): Finding {
  const [, place = 'the file', text = line] = /^(.+?:\d+):\d+:? (.*)$/.exec(line) ?? [];
  const { meant, advice } = ADVICE.exec(text)?.groups ?? {};
  if (advice) return make('agent', line.slice(0, -advice.length).replace(/[;.] $/, ''), advice + again);
  return make('agent', line, (meant ? `Write ${meant}` : `Change ${text.split(': ')[0]} in ${place}`) + again);
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
  const again = `${commandText(['check', '--start', path])} tries again`;
  try {
    const { tools, down, logins } = await checkServers(agent, (text) => doubts.push(text));
    const seconds = ((systemClock.now() - begun) / 1000).toFixed(1);
    const reasonsOf = (name: string) => doubts.filter((text) => text.startsWith(`tools.${name}: `));
    const known = new Set(down.flatMap(reasonsOf));
    return [
      ...down.map((name) => {
        const reasons = reasonsOf(name).map(
          (text) => `: ${text.slice(`tools.${name}: `.length).replace(/\n\s*\|?\s*/g, ', ')}`,
        );
        const remedy = `Start its server, or change tools.${name} in ${path}; ${again}`;
        return problem('tools', `${name} did not start${reasons.join('')}`, remedy);
      }),
      ...doubts.filter((text) => !known.has(text)).map((text) => warning('tools', text, `Change that tool; ${again}`)),
      ...logins.map((name) =>
        ok('tools', `${name} shows its tools after ${commandText(['mcp', 'login', name, path])}`),
      ),
      ...(down.length === 0 ? [ok('tools', `${tools.length} tools of servers after ${seconds} s`)] : []),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem('tools', error.message, `Change that line; ${again}`)];
  }
}

/** When the documents were read, how many could not be or have changed since, and whether vectors work. */
export async function checkKnowledge(agent: Agent, data: string, file: string): Promise<Finding[]> {
  const found = Object.entries(agent.knowledge ?? {}).map(async ([name, entry]) => {
    const { files } = await findFiles(agent.folder, [entry.source].flat());
    const remedy = `Change knowledge.${name}.source in ${file}, or put documents there`;
    if (files.length === 0) return [problem('knowledge', `${name}: its source has no file that can be read`, remedy)];
    const state = describeDocuments(files, peekStatus(indexPath(data, agent.name, name)));
    const fault = await findVectorFault(entry);
    const why = `${commandText(['knowledge', 'status', file])} shows why`;
    const text = `${name}: ${state.text}`;
    return [
      state.unread > 0 ? warning('knowledge', `${text}, ${state.unread} unread`, why) : ok('knowledge', text),
      ...(fault === undefined ? [] : [warning('knowledge', `${name} is searched by words alone`, fault)]),
    ];
  });
  return (await Promise.all(found)).flat();
}

function describeDocuments(files: readonly FoundFile[], status: KnowledgeStatus | undefined) {
  if (!status) return { text: `${files.length} documents, read by the first start`, unread: 0 };
  const read = new Map(status.documents.map(({ document, readAt }) => [document, readAt]));
  const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtime.toISOString() ?? '';
  const gone = read.size - files.filter(({ path }) => read.has(path)).length;
  const changed = gone + files.filter(({ path, file }) => timeOf(file) > (read.get(path) ?? '')).length;
  const since = changed > 0 ? `, ${changed} changed since: the next start reads them` : '';
  const unread = status.documents.filter(({ state }) => state === 'unread').length;
  return { text: `${read.size} documents, read ${status.builtAt?.slice(0, 16)}Z${since}`, unread };
}

/** Asks a server of this machine for a vector. A vendor is asked nothing, but its key must be there. */
async function findVectorFault({ embedding, search_mode }: KnowledgeEntry): Promise<string | undefined> {
  if (embedding === 'none' || search_mode === 'keyword') return undefined;
  const lacksKey = keyVariables(embedding).length > 0 && !embedding.api_key;
  if (!lacksKey && !isLocalServer(embedding)) return undefined;
  try {
    const signal = AbortSignal.timeout(VECTOR_MS);
    await createEmbedder(embedding, { clock: systemClock }).embed(['test'], { isQuestion: true, signal });
    return undefined;
  } catch (error) {
    return (
      (error instanceof AppError && error.author) || 'Its server did not answer; start it, or wait until it has loaded'
    );
  }
}

const VECTOR_MS = 3_000;
