import type { Model, ModelChunk, ModelRequest } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Domain } from '../../schema/domain.ts';
import { readTarget } from '../../team/hand-over-tool.ts';
import { memberName } from '../../team/member-name.ts';
import { isFromOthers } from '../../team/speakers.ts';
import { withoutTools } from './await-tools.ts';
import { checkFigures } from './check-figures.ts';

/**
 * Wraps a model that selects tools by their words. A message whose words fit the description of another agent better
 * than the own one is handed over first, by the decision that routes questions to domains. Figures of a draft are compared.
 */
export function handOverByWords(model: Model, agent: Agent): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const targets = targetsOf(request);
      const call = targets.size > 0 ? await decideHandOver(request, agent, targets) : undefined;
      if (call) yield* call;
      else yield* checkFigures(model).stream(withoutTools(request, [...targets.keys()]), options);
    },
  };
}

/** The tools that hand over, each with the agent that would get the conversation. */
function targetsOf({ tools }: ModelRequest): Map<string, Pick<Agent, 'name' | 'description'>> {
  return new Map(
    tools.flatMap((tool) => {
      const target = readTarget(tool);
      return target ? [[tool.name, target]] : [];
    }),
  );
}

async function decideHandOver(
  { messages }: ModelRequest,
  agent: Agent,
  targets: ReadonlyMap<string, Pick<Agent, 'name' | 'description'>>,
): Promise<ModelChunk[] | undefined> {
  const question = messages.at(-1);
  // The agent that gets a message does its best with it: passing it on by its words alone could go on and on.
  if (question?.role !== 'user' || isFromOthers(question)) return undefined;
  const [{ decide }, { createRegistry }] = await Promise.all([
    import('../../routing/decide/decide.ts'),
    import('../../routing/decide/registry.ts'),
  ]);
  const own = { name: memberName(agent.name), description: agent.description };
  const registry = createRegistry([own, ...targets.values()].flatMap(toDomain));
  const { typed } = question.metadata;
  const text = typeof typed === 'string' ? typed : question.content;
  const { identified_domains: found, ambiguity_detected, reasoning } = decide({ text, earlier: [] }, registry);
  const [tool] = [...targets].find(([, { name }]) => name === found[0]) ?? [];
  if (tool === undefined || found.length > 1 || ambiguity_detected) return undefined;
  const call = { id: `${question.id}-hand-over`, name: tool, arguments: JSON.stringify({ reason: reasoning }) };
  return [
    { type: 'tool-call', ...call },
    { type: 'finish', reason: 'tool-calls' },
  ];
}

/** An agent without a description is found by no words. */
function toDomain({ name, description }: { name: string; description?: string | undefined }): Domain[] {
  if (!description) return [];
  const rest = { related_domains: [], enabled: true };
  return [{ name, display_name: name, description, capabilities: [description], mcp_tools: [name], ...rest }];
}
