import * as z from 'zod';
import { userFromId } from '../src/identity/user.ts';
import { entrySchema } from '../src/kinds/tool-kinds.ts';
import { type Agent, AgentFile } from '../src/schema/agent.ts';
import type { Json, JsonObject } from '../src/schema/json.ts';
import { KnowledgeMap } from '../src/schema/knowledge/entry.ts';
import type { Tool, ToolContext, ToolOutcome } from '../src/tools/tool.ts';

export const ALICE = userFromId('11111111-1111-4111-8111-111111111111', { name: 'Alice', timezone: 'UTC' });
export const BOB = userFromId('22222222-2222-4222-8222-222222222222', { name: 'Bob', timezone: 'UTC' });

/** An agent as `loadAgent` would return it; `parts` are keys of agent.yaml. */
export function buildAgent(parts: Record<string, unknown> = {}): Agent {
  const tools = z.array(entrySchema()).default([]).parse(parts.tools);
  const {
    response_format,
    knowledge,
    agents: _,
    then: _then,
    ...file
  } = AgentFile.parse({
    name: 'helper',
    instructions: 'Help.',
    ...parts,
    tools,
  });
  const format = typeof response_format === 'object' && { response_format };
  const base = knowledge && { knowledge: KnowledgeMap.parse(knowledge) };
  return { ...file, ...format, ...base, instructions: String(file.instructions), folder: import.meta.dirname };
}

export interface ToolParts extends Partial<Omit<Tool, 'run'>> {
  run?: (args: JsonObject, context: ToolContext) => Json | Promise<Json>;
  outcome?: ToolOutcome;
}

/** A tool that is a plain object. By default it returns its arguments. */
export function buildTool({ run, outcome, ...parts }: ToolParts = {}): Tool {
  return {
    name: 'echo',
    description: 'Returns what it is given.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    source: 'test',
    ...parts,
    run: async (args, context) => outcome ?? { result: run ? await run(args, context) : args },
  };
}
