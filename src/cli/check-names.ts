import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { didYouMean } from '../config/did-you-mean.ts';
import type { Finding } from '../config/problem.ts';
import { serverEnvironment } from '../mcp/client/environment.ts';
import type { Agent, ToolConfig } from '../schema/agent.ts';
import { loadSpace } from '../space/load/load-space.ts';
import type { SpaceJobs } from '../space/space-jobs.ts';
import { createSpaceTools } from '../space/space-tools.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { createTaskTools } from '../tasks/task-tools.ts';

export interface NameReport {
  problems: Finding[];
  /** Possible mistakes that only a running server or a page can confirm. */
  warnings: Finding[];
}

/** Tools of running servers, and the names of servers that are down. */
export interface RunningServers {
  tools: readonly string[];
  down: readonly string[];
}

/** Checks the tool names of intents and domains in agent.yaml. Starts nothing. */
export async function checkNames(agent: Agent, servers: RunningServers): Promise<NameReport> {
  const report: NameReport = { problems: [], warnings: [] };
  const known = await readToolNames(agent, servers);
  for (const [name, { tool }] of Object.entries(agent.intents)) {
    if (tool !== undefined) checkIntent({ tool, path: ['intents', name, 'tool'] }, known, report);
  }
  for (const [index, domain] of agent.domains.entries()) {
    for (const [position, tool] of domain.mcp_tools.entries()) {
      checkDomainTool({ tool, path: ['domains', index, 'mcp_tools', position] }, known, report);
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
}

/** A page may provide a tool for an intent, so only a similar name proves a mistake. */
function checkIntent({ tool, path }: NamedTool, { names, unseen }: KnownTools, report: NameReport): void {
  if (names.includes(tool)) return;
  const near = didYouMean(tool, names);
  if (near !== '' && unseen.length === 0) report.problems.push({ path, message: `no tool has this name${near}` });
  else if (unseen.length > 0) report.warnings.push({ path, message: describeUnseen(unseen) });
  else report.warnings.push({ path, message: 'no tool of this file has this name; a page must provide it' });
}

function checkDomainTool({ tool, path }: NamedTool, { names, unseen }: KnownTools, report: NameReport): void {
  if (names.includes(tool)) return;
  if (unseen.length > 0) report.warnings.push({ path, message: describeUnseen(unseen) });
  else report.problems.push({ path, message: `no tool has this name${didYouMean(tool, names)}` });
}

function describeUnseen(unseen: readonly string[]): string {
  return `no known tool has this name; a server that did not start may have it: ${unseen.join(', ')}`;
}

async function readToolNames(agent: Agent, { tools, down }: RunningServers): Promise<KnownTools> {
  const known: KnownTools = { names: [...tools], unseen: [] };
  for (const tool of agent.tools) {
    const names = await namesOf(tool, agent);
    if (names) known.names.push(...names);
    else if (down.includes(tool.name)) known.unseen.push(tool.name);
  }
  return known;
}

/** Undefined if only the running server knows its tools. */
async function namesOf(tool: ToolConfig, { folder }: Agent): Promise<string[] | undefined> {
  if (tool.type === 'function') return [tool.name];
  const { allow, prefix = '' } = tool;
  if (tool.transport !== 'builtin') return allow?.map((name) => `${prefix}${name}`);
  const names = tool.server === 'tasks' ? taskToolNames() : await spaceToolNames(tool.file ?? '', folder);
  return names.filter((name) => allow?.includes(name) ?? true).map((name) => `${prefix}${name}`);
}

function taskToolNames(): string[] {
  return createTaskTools({} as TaskStore).map(({ name }) => name); // only names are read: the store is never called
}

async function spaceToolNames(file: string, root: string): Promise<string[]> {
  const space = (await loadSpace(file, { root })).file;
  return createSpaceTools(space, {} as SpaceJobs, '').map(({ name }) => name); // only names are read: no job is run
}

/** Finds stdio servers whose program is missing. Starts nothing. */
export async function findMissingCommands({ tools, folder }: Agent): Promise<Finding[]> {
  const findings = tools.map(async (tool, index): Promise<Finding[]> => {
    if (tool.type !== 'mcp' || tool.transport !== 'stdio') return [];
    const path = ['tools', index, 'command'];
    if (tool.command.includes('/')) {
      const isThere = await isProgram(resolve(folder, tool.command));
      return isThere ? [] : [{ path, message: "there is no such program relative to the agent's folder" }];
    }
    const folders = (serverEnvironment(tool.env).PATH ?? '').split(delimiter);
    const hits = await Promise.all(folders.map((place) => isProgram(resolve(folder, place, tool.command))));
    return hits.includes(true)
      ? []
      : [{ path, message: 'no folder of PATH has this program; install it or correct the name' }];
  });
  // Other systems search for programs by other rules.
  return process.platform === 'win32' ? [] : (await Promise.all(findings)).flat();
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
