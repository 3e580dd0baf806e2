import { kindOf } from '../kinds/tool-kinds.ts';
import { type Agent, AgentFile } from '../schema/agent.ts';
import type { KnowledgeMap } from '../schema/knowledge/entry.ts';
import type { Draft } from './check-shape.ts';
import { type References, withRealPaths } from './read-references.ts';

interface Parts {
  draft: Draft;
  references: References;
  folder: string;
  knowledge?: KnowledgeMap | undefined;
}

/** The agent of a value without faults. Its members are added later. */
export function buildAgent(value: Record<string, unknown>, { draft, references, folder, knowledge }: Parts): Agent {
  const tools = draft.tools.filter((tool) => tool !== undefined);
  const parsed = withRealPaths({ ...AgentFile.parse({ ...value, tools }, { jitless: true }), tools }, references.paths);
  const { response_format: _, knowledge: _map, agents: _members, then, ...file } = parsed;
  const { instructions, responseFormat: response_format } = references;
  const checks = then?.map((one) => (typeof one === 'string' ? { agent: one, required: false } : one));
  return {
    ...file,
    tools: file.tools.map((tool) => kindOf(tool).complete?.(tool) ?? tool),
    instructions,
    folder,
    ...(response_format && { response_format }),
    ...(knowledge && { knowledge }),
    // biome-ignore lint/suspicious/noThenProperty: a list, which nobody awaits
    ...(checks && { then: checks }),
  };
}
