import type { Model, ModelChunk, ModelRequest } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { UserMessage } from '../../schema/conversation/message.ts';
import type { Domain } from '../../schema/domain.ts';
import { readTarget, type Target } from '../../team/hand-over-tool.ts';
import { memberName } from '../../team/member-name.ts';
import { isFromOthers } from '../../team/speakers.ts';
import { withoutTools } from './await-tools.ts';
import { checkFigures } from './check-figures.ts';

/**
 * Wraps a model that selects tools by their words. A message that asks for another agent, or whose words fit its
 * description better than the own one, is handed over first. A member hands back what only the first agent can do.
 * Figures of a draft are compared.
 */
export function handOverByWords(model: Model, agent: Agent): Model {
  const self = { name: memberName(agent.name), isFirst: !agent.name.includes('/') };
  const { label, stream } = checkFigures(model);
  return {
    label,
    async *stream(request, options) {
      const targets = targetsOf(request);
      const own = withoutTools(request, [...targets.keys()]);
      const question = request.messages.at(-1);
      if (question?.role !== 'user') return yield* stream(own, options);
      const text = String(question.metadata.typed ?? question.content);
      // The agent that gets a message does its best with it: passing it on by its words alone could go on and on.
      const isPassedOn = isFromOthers(question);
      if (isPassedOn && asksForAgent(text, self)) {
        yield { type: 'text', text: `This is ${self.name}. How can I help?` };
        return yield { type: 'finish', reason: 'stop' };
      }
      const found = isPassedOn || targets.size === 0 ? undefined : await findTarget(text, agent, targets);
      if (found) return yield* callTo(found.tool, found.reason, question);
      const chunks = await Array.fromAsync(stream(own, options));
      if (!isDeclined(chunks)) return yield* chunks;
      const [back, { has } = { has: [] }] = [...targets].find(([, { isFirst }]) => isFirst) ?? [];
      const tools = has.filter(({ name }) => !own.tools.some((tool) => tool.name === name));
      const isNamed = tools.some(({ name }) => wordsOf(text).includes(name));
      const mayBeTheirs = back && !isPassedOn && tools.length > 0;
      if (mayBeTheirs && (isNamed || !isDeclined(await Array.fromAsync(stream({ ...own, tools }, options)))))
        return yield* callTo(back, `${self.name} has no tool for it.`, question);
      const { listTools } = await import('../../builtin/tools/plan-tools.ts');
      const isList = (chunk: ModelChunk) => chunk.type === 'text' && chunk.text === listTools(own.tools);
      yield* chunks.map((chunk) => (isList(chunk) ? { ...chunk, text: listTools(request.tools) } : chunk));
    },
  };
}

/** The tools that hand over, each with the agent that would get the conversation. */
function targetsOf({ tools }: ModelRequest): Map<string, Target> {
  const found = tools.map((tool) => [tool.name, readTarget(tool)] as const);
  return new Map(found.flatMap(([name, target]) => (target ? [[name, target]] : [])));
}

function isDeclined(chunks: readonly ModelChunk[]): boolean {
  return chunks.some((chunk) => chunk.type === 'intent' && chunk.intents.every(({ name }) => name === 'unknown'));
}

const ASKING =
  /^(?:please|pls|ok|okay|now|thanks|hand|me|us|put|send|take|bring|pass|connect|transfer|switch|return|go|let|talk|speak|chat|through|over|back|to|the|with|a|i|d|want|would|like|can|could|you|we|may|again|agent|team|department|front|desk|first)$/;

/** "hand me back to the front desk", "billing please": a message that asks for an agent and for nothing else. */
function asksForAgent(text: string, { name, isFirst }: Pick<Target, 'name' | 'isFirst'>): boolean {
  const words = wordsOf(text);
  const own = wordsOf(name);
  const isBack = isFirst && /\bback\b|\bfront desk\b|\bfirst agent\b/i.test(text);
  const isNamed = isBack || own.every((word) => words.includes(word));
  return isNamed && words.every((word) => ASKING.test(word) || own.includes(word));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

async function findTarget(text: string, { name, description }: Agent, targets: ReadonlyMap<string, Target>) {
  const [asked] = [...targets].find(([, target]) => asksForAgent(text, target)) ?? [];
  if (asked) return { tool: asked, reason: `The user asked for it: ${text.slice(0, 200)}` };
  const { decide } = await import('../../routing/decide/decide.ts');
  const { createRegistry } = await import('../../routing/decide/registry.ts');
  const registry = createRegistry([{ name: memberName(name), description }, ...targets.values()].flatMap(toDomain));
  const { identified_domains: found, ambiguity_detected, reasoning: reason } = decide({ text, earlier: [] }, registry);
  const [tool] = [...targets].find(([, { name }]) => name === found[0]) ?? [];
  return tool === undefined || found.length > 1 || ambiguity_detected ? undefined : { tool, reason };
}

function* callTo(tool: string, reason: string, { id }: UserMessage): Generator<ModelChunk> {
  yield { type: 'tool-call', id: `${id}-hand-over`, name: tool, arguments: JSON.stringify({ reason }) };
  yield { type: 'finish', reason: 'tool-calls' };
}

/** An agent without a description is found by no words. */
function toDomain({ name, description }: Pick<Agent, 'name' | 'description'>): Domain[] {
  if (!description) return [];
  const rest = { related_domains: [], enabled: true };
  return [{ name, display_name: name, description, capabilities: [description], mcp_tools: [name], ...rest }];
}
