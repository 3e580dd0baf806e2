import { toolNamesOf } from '../kinds/inspect.ts';
import type { Agent } from '../schema/agent.ts';
import { didYouMean } from '../yaml/did-you-mean.ts';
import type { Finding } from '../yaml/problem.ts';

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
    const names = await toolNamesOf(tool, agent);
    if (names) known.names.push(...names);
    else if (down.includes(tool.name)) known.unseen.push(tool.name);
  }
  return known;
}
