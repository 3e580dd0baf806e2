import { realpath } from 'node:fs/promises';
import type * as z from 'zod';
import { checkLayers } from '../config/load-agent.ts';
import type { AgentFile, ToolEntry } from '../schema/agent.ts';
import type { KnowledgeMap } from '../schema/knowledge/entry.ts';
import { type CodeAgent, type CodeTool, createCodeSource } from '../tools/functions/code-tools.ts';
import { configInvalid } from '../yaml/problem.ts';

type FileKeys = z.input<typeof AgentFile>;

/** The keys of agent.yaml as an object. `tools` takes entries of agent.yaml and functions of your program. */
export interface AgentDefinition extends Omit<FileKeys, 'tools' | 'knowledge'> {
  tools?: readonly (CodeTool | z.input<typeof ToolEntry>)[];
  knowledge?: z.input<typeof KnowledgeMap>;
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
  const { folder = process.cwd(), env = process.env } = options;
  const given = definition.tools ?? [];
  const functions = given.filter(isFunction);
  const tools = given.map((tool) => (isFunction(tool) ? undefined : tool));
  const value = { ...definition, tools };
  const { agent, problems } = await checkLayers([{ kind: 'overrides', file: 'defineAgent', value }], {
    folder: await realpath(folder),
    variables: new Map(Object.entries(env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
    known: [],
    withTests: false,
  });
  if (!agent) throw configInvalid(problems);
  createCodeSource(functions);
  return { ...agent, ...(functions.length > 0 && { functions }) };
}

function isFunction(tool: CodeTool | z.input<typeof ToolEntry>): tool is CodeTool {
  return 'run' in tool;
}
