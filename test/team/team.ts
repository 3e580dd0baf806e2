import { onTestFinished } from 'vitest';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import { createScriptedModel, type ScriptedReply } from '../../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { Agent } from '../../src/schema/agent.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';
import type { User } from '../../src/schema/user.ts';
import type { Store } from '../../src/store/store.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ALICE, buildAgent } from '../build.ts';
import { collect, temporaryFolder } from '../runtime.ts';

/** An agent of a team. Its instructions are its name, by which the model knows who asks. */
interface Member {
  sub_agents?: string[];
  handoffs?: string[];
  /** The list `then`. */
  readers?: { agent: string; required: boolean }[];
  members?: Record<string, Member>;
  team_limits?: Partial<Agent['limits']>;
  parts?: Record<string, unknown>;
  /** The folder of its file, with its documents. */
  home?: string;
}

export function buildTeam(
  name: string,
  { sub_agents, handoffs, members = {}, team_limits, parts, readers, home }: Member,
): Agent {
  const own = Object.entries(members).map(([key, member]) => [key, buildTeam(`${name}/${key}`, member)]);
  const agent = buildAgent({ instructions: name, limits: team_limits, ...parts });
  const used = { ...(sub_agents && { sub_agents }), ...(handoffs && { handoffs }) };
  // biome-ignore lint/suspicious/noThenProperty: a key of agent.yaml
  const checked = readers && { then: readers };
  return { ...agent, name, ...used, ...checked, ...(home && { folder: home }), members: Object.fromEntries(own) };
}

/** The reply of each agent to its n-th request of one turn, by the agent's name. */
type Script = Record<string, (step: number, request: ModelRequest) => ScriptedReply>;

/** A model whose replies depend on the agent and on how far its turn is, so that a repeated request has the same reply. */
export function scriptedTeam(script: Script) {
  return createScriptedModel((request) => {
    const [name = ''] = request.system.split('\n');
    const after = request.messages.findLastIndex(({ role }) => role === 'user');
    const step = request.messages.slice(after).filter(({ role }) => role === 'assistant').length;
    const reply = script[name.trim()];
    if (!reply) throw new Error(`no script for ${name}`);
    return reply(step, request);
  });
}

export function delegateTo(name: string, task: string) {
  return { name: `delegate_to_${name}`, arguments: { task } };
}

export function handOver(name: string, reason: string) {
  return { name: `hand_over_to_${name}`, arguments: { reason } };
}

export function handBack(reason: string) {
  return { name: 'hand_back', arguments: { reason } };
}

interface TeamScene extends Member {
  script: Script;
  tools?: Tool[];
  folder?: string;
  store?: Store;
  more?: Agent[];
  wrap?(model: Model): Model;
}

export async function openTeam({
  script,
  tools = [],
  folder = temporaryFolder(),
  store,
  more = [],
  wrap = (model) => model,
  ...team
}: TeamScene) {
  const model = scriptedTeam(script);
  const source = {
    name: 'test',
    tools: async () => tools,
    status: () => ({ state: 'ready' as const, tools: [] }),
    close: async () => {},
  };
  const agents = [buildTeam('lead', team), ...more];
  const runtime = await createRuntime({
    agents,
    folder,
    model: wrap(model),
    sources: [source],
    ...(store && { store }),
  });
  onTestFinished(() => runtime.stop());
  return { runtime, model, folder };
}

/** Sends a message and returns the turn's events and result. */
export async function send(runtime: Runtime, message: string, more: Record<string, unknown> = {}, user: User = ALICE) {
  const turn = await runtime.chat(user, { agent: 'lead', message, ...more });
  return finished(turn.conversationId, turn.turnId, await collect(turn));
}

export async function answer(
  runtime: Runtime,
  conversationId: string,
  answers: { call_id: string; approved: boolean }[],
) {
  const turn = await runtime.answer(ALICE, { conversationId, answers });
  return finished(turn.conversationId, turn.turnId, await collect(turn));
}

function finished(conversationId: string, turnId: string, events: Event[]) {
  const last = events.findLast((event) => event.type === 'turn-end' || event.type === 'turn-wait');
  const result = last?.result as TurnResult; // every turn of these tests ends or waits
  return { conversationId, turnId, events, result };
}
