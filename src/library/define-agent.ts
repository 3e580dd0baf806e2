import { realpath } from 'node:fs/promises';
import type * as z from 'zod';
import { checkLayers, memberReader } from '../config/load-agent.ts';
import { AppError } from '../errors.ts';
import type { AgentFile, ToolEntry } from '../schema/agent.ts';
import type { KnowledgeMap } from '../schema/knowledge/entry.ts';
import type { Members } from '../schema/team.ts';
import { type CodeAgent, type CodeTool, createCodeSource } from '../tools/functions/code-tools.ts';
import { configInvalid } from '../yaml/problem.ts';

type FileKeys = z.input<typeof AgentFile>;
type Member = CodeAgent | z.input<typeof Members>[string];

/** The keys of agent.yaml as an object. `tools` takes entries of agent.yaml and functions of your program. */
export interface AgentDefinition extends Omit<FileKeys, 'tools' | 'knowledge' | 'agents'> {
  tools?: readonly (CodeTool | z.input<typeof ToolEntry>)[];
  knowledge?: z.input<typeof KnowledgeMap>;
  /** Members by name: agents of `defineAgent`, or entries of agent.yaml. */
  agents?: Readonly<Record<string, Member>>;
}

export interface DefineOptions {
  /** The base of relative paths, and the parent of the default data folder; default: the working directory. */
  folder?: string;
  /** Holds the provider's key, such as OPENAI_API_KEY, if `model.api_key` is absent; default: process.env. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Checks an agent that is written in code, by the rules of agent.yaml. No settings file is read, and `${VAR}` stays as it
 * is. Throws `config_invalid` with every problem at once.
 */
export async function defineAgent(definition: AgentDefinition, options: DefineOptions = {}): Promise<CodeAgent> {
  const { env = process.env } = options;
  const folder = await realpath(options.folder ?? process.cwd());
  const given = definition?.tools ?? [];
  if (!Array.isArray(given) || !given.every(isTool)) throw new AppError('config_invalid', { detail: NO_TOOLS });
  const functions = given.filter(isFunction);
  const tools = given.map((tool) => (isFunction(tool) ? undefined : tool));
  const members = Object.entries(definition?.agents ?? {});
  const defined = new Map(members.flatMap(([name, member]) => (isAgent(member) ? [[nameOf(name), member]] : [])));
  const agents = members.map(([name, member]) => [name, isAgent(member) ? { file: nameOf(name) } : member]);
  const value = { ...definition, tools, ...(definition?.agents && { agents: Object.fromEntries(agents) }) };
  const readFile = memberReader({ cwd: folder, env }, { folder, teams: [], onHint: () => {} });
  const { agent, problems } = await checkLayers([{ kind: 'overrides', file: 'defineAgent', value }], {
    folder,
    variables: new Map(Object.entries(env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
    known: [],
    withTests: false,
    readMember: async (file, model) => defined.get(file) ?? readFile(file, model),
    functions,
  });
  if (!agent) throw configInvalid(problems);
  createCodeSource(functions);
  return { ...agent, ...(functions.length > 0 && { functions }) };
}

const NO_TOOLS = 'tools: pass a list of `defineTool({…})` and entries of agent.yaml.';
/** Tools of other libraries have another function than `run`. */
function isTool(tool: unknown): boolean {
  const { run, ...others } = Object(tool);
  return Object(tool) === tool && (run || !Object.values(others).some((value) => typeof value === 'function'));
}

function isFunction(tool: CodeTool | z.input<typeof ToolEntry>): tool is CodeTool {
  return 'run' in tool;
}

function isAgent(member: Member): member is CodeAgent {
  return 'folder' in member;
}

/** No file has this name: it is no path of any system. */
function nameOf(member: string): string {
  return `\0${member}`;
}
