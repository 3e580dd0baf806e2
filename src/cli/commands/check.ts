import { systemClock } from '../../clock.ts';
import { agentJsonSchema } from '../../config/json-schema.ts';
import { readAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import { userFromId } from '../../identity/user.ts';
import { systemIds } from '../../ids.ts';
import { entriesThatBring, inspectTools, toolNamesOf } from '../../kinds/tool-kinds.ts';
import type { Fault } from '../../log.ts';
import { oauthServersOf } from '../../runtime/logins.ts';
import { createRuntime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import { openTokenCheck } from '../../server/identity.ts';
import { findSchemaProblem } from '../../tools/validate.ts';
import { didYouMean } from '../../yaml/did-you-mean.ts';
import { type Finding, formatProblem } from '../../yaml/problem.ts';
import { commandText } from '../called-as.ts';
import { inTemporaryFolder } from '../folders.ts';
import { print, printAside, warn } from '../print.ts';
import { describeStarts, findServerProblems, hasServers, remoteNames } from '../server-problems.ts';

/** Servers that are installed by npx first take long to start. */
const SERVERS_MS = 60_000;

/**
 * `holodeck check`: prints that a file is valid, or throws everything that is wrong with it. Nothing of the file is
 * executed and nothing is sent; only `--start` starts its tool servers.
 */
export async function runCheck(file: string, { start = false }: { start?: boolean } = {}): Promise<void> {
  const { agent, hints, locate } = await readAgent(file, { onWarning: warn, withTests: true });
  for (const hint of hints) printAside(`hint: ${formatProblem(hint)}`);
  const inspection = await inspectTools(agent, { clock: systemClock });
  for (const warning of inspection.warnings) warn(warning);
  const problems = [
    ...[...inspection.findings, ...findFormatProblems(agent)].map((problem) => formatProblem(locate(problem))),
    ...inspection.problems,
    ...(await findCaseProblems(agent)),
  ];
  const canStart = problems.length === 0;
  if (canStart) await openTokenCheck(agent.server, warn);
  const isStarted = canStart && start;
  const servers = isStarted ? await checkServers(agent, warn) : { tools: [], down: remoteNames(agent), logins: [] };
  const names = inspection.problems.length > 0 ? { problems: [], warnings: [] } : await checkNames(agent, servers);
  for (const doubt of isStarted || servers.down.length === 0 ? names.warnings : []) warn(formatProblem(locate(doubt)));
  problems.push(...names.problems.map((problem) => formatProblem(locate(problem))));
  if (problems.length > 0) throw new AppError('config_invalid', { detail: problems.join('\n') });
  const remote = entriesThatBring(agent, 'member').map((entry) => entry.name);
  const own = agent.tools.map((tool) => tool.name).filter((name) => !remote.includes(name));
  const tools = own.join(', ') || 'none';
  for (const name of servers.logins)
    printAside(`hint: ${name} shows its tools after ${commandText(['mcp', 'login', name, file])}`);
  const isDown = start && servers.down.length > 0;
  const verdict = isDown ? `is valid, but ${servers.down.join(', ')} did not start` : 'is valid';
  if (!start && servers.down.length > 0) printAside(`hint: ${describeUnchecked(agent)}`);
  const members = [...Object.keys(agent.members ?? {}), ...remote].join(', ');
  print(
    `${file} ${verdict}: ${agent.name}, model ${agent.model.provider}, tools ${tools}${members && `, agents ${members}`}`,
  );
}

function describeUnchecked(agent: Agent): string {
  const names = remoteNames(agent);
  const what = names.length === 1 ? 'its server' : 'their servers';
  return `the tools of ${names.join(', ')} were not checked; \`check --start\` starts ${what} and looks.`;
}

/** A schema that cannot check an answer would fail every turn. */
function findFormatProblems({ response_format: format }: Agent): Finding[] {
  const problem = format && findSchemaProblem(format);
  return problem ? [{ path: ['response_format'], message: `is no usable JSON Schema: ${problem}` }] : [];
}

async function findCaseProblems(agent: Agent): Promise<string[]> {
  const { readTestCases } = await import('../../evals/cases/read-test-cases.ts');
  try {
    await readTestCases(agent);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.message];
  }
}

type Warn = (text: string) => void;

/**
 * Starts the agent's tool servers in a temporary folder and throws faults of the file. A server that does not start is
 * only a warning, and its tools count as unknown: it may need a network or a key that is missing here.
 */
export async function checkServers(agent: Agent, warn: Warn): Promise<RunningServers> {
  if (!hasServers(agent)) return { tools: [], down: [], logins: [] };
  for (const line of describeStarts(agent)) printAside(line);
  return inTemporaryFolder((folder) => startServers(agent, folder, warn));
}

async function startServers(agent: Agent, folder: string, warn: Warn): Promise<RunningServers> {
  const report = ({ text, lines = [] }: Fault) => warn([text, ...lines.map((line) => `  | ${line}`)].join('\n'));
  const runtime = await createRuntime({ agents: [agent], folder, report });
  try {
    const signal = AbortSignal.timeout(SERVERS_MS);
    const user = userFromId(systemIds.uuid());
    const { clashes, remarks, tools, down } = await findServerProblems({ runtime, user, agent, signal });
    for (const remark of remarks) warn(remark);
    if (clashes.length > 0) throw new AppError('config_invalid', { detail: clashes.join('\n') });
    const logins = oauthServersOf(agent).map(({ name }) => name);
    return { tools, down: down.filter((name) => !logins.includes(name)), logins };
  } finally {
    await runtime.stop();
  }
}

/** `holodeck schema`: for editors that complete and check agent.yaml. */
export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(agentJsonSchema(), null, 2)}\n`);
}

export interface NameReport {
  problems: Finding[];
  /** Possible mistakes that only a running server or a page can confirm. */
  warnings: Finding[];
}

/** Tools of running servers, and the names of servers that are down. */
export interface RunningServers {
  tools: readonly string[];
  down: readonly string[];
  /** Servers that users log in to: they are not started here. */
  logins: readonly string[];
}

/** Checks the tool names of intents and domains in agent.yaml. Starts nothing. */
export async function checkNames(agent: Agent, servers: RunningServers): Promise<NameReport> {
  const report: NameReport = { problems: [], warnings: [] };
  const known = await readToolNames(agent, servers);
  for (const [name, { tool }] of Object.entries(agent.intents)) {
    if (tool !== undefined) checkTool({ tool, path: ['intents', name, 'tool'], byPage: true }, known, report);
  }
  for (const [index, domain] of agent.domains.entries()) {
    for (const [position, tool] of domain.mcp_tools.entries()) {
      checkTool({ tool, path: ['domains', index, 'mcp_tools', position], byPage: false }, known, report);
    }
  }
  return report;
}

interface KnownTools {
  names: string[];
  /** Servers that did not start, so that their tools are unknown. */
  unseen: string[];
}

interface NamedTool {
  tool: string;
  path: Finding['path'];
  /** A page may provide a tool for an intent, so only a similar name proves a mistake. */
  byPage: boolean;
}

function checkTool({ tool, path, byPage }: NamedTool, { names, unseen }: KnownTools, report: NameReport): void {
  if (names.includes(tool)) return;
  const near = didYouMean(tool, names);
  const unknown = `no known tool has this name; a server that did not start may have it: ${unseen.join(', ')}`;
  if (unseen.length > 0) report.warnings.push({ path, message: unknown });
  else if (near !== '' || !byPage) report.problems.push({ path, message: `no tool has this name${near}` });
  else report.warnings.push({ path, message: 'no tool of this file has this name; a page must provide it' });
}

async function readToolNames(agent: Agent, { tools, down, logins }: RunningServers): Promise<KnownTools> {
  const known: KnownTools = { names: [...tools], unseen: [] };
  for (const tool of agent.tools) {
    const names = await toolNamesOf(tool, agent);
    if (names) known.names.push(...names);
    else if ([...down, ...logins].includes(tool.name)) known.unseen.push(tool.name);
  }
  return known;
}
