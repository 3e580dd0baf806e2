import type { Log } from '../agent/running-turn.ts';
import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createModel } from '../models/create-model.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Conversation } from '../schema/conversation.ts';
import type { CallAnswer } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { User } from '../schema/user.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { AuditRecord, Page, Store, StoredTurn } from '../store/store.ts';
import type { SourceStatus, ToolSource } from '../tools/tool.ts';
import { type ChatInput, chat } from './chat.ts';
import { answer, type ChatTurn } from './continue-turn.ts';
import { createReadyAgent, type ReadyAgent } from './ready-agent.ts';
import { openSources } from './sources.ts';
import { createTurns } from './turns.ts';

export interface RuntimeOptions {
  agents: readonly Agent[];
  /** The data folder: the store, the tools' own tables, the local account. */
  folder: string;
  /** Instead of SQLite in the folder. */
  store?: Store;
  /** Instead of the models that the agents name. */
  model?: Model;
  /** Beside the tools that the agents name. */
  sources?: readonly ToolSource[];
  clock?: Clock;
  /** For what people are not shown; nothing is kept unless given. */
  log?: Log;
}

/** Everything assembled once: what the terminal and the server stand on. */
export interface Runtime {
  readonly agents: readonly Agent[];
  /** Turns that run now. */
  readonly activeTurns: number;
  chat(user: User, input: ChatInput): Promise<ChatTurn>;
  /** Answers waiting calls and goes on with the turn. */
  answer(user: User, input: { conversationId: string; answers: CallAnswer[] }): Promise<ChatTurn>;
  /** Stops a running turn and keeps what is there; false when none runs. */
  cancel(user: User, conversationId: string): Promise<boolean>;
  readConversation(user: User, id: string): Promise<Conversation | undefined>;
  readMessages(user: User, conversationId: string): Promise<Message[]>;
  readNewestTurn(user: User, conversationId: string): Promise<StoredTurn | undefined>;
  listConversations(user: User, page: Page & { agent?: string }): Promise<Conversation[]>;
  readAudit(user: User, page: Page): Promise<AuditRecord[]>;
  /** What an agent answers with, for people: the model's label and the state of each source. */
  describe(agent: string): { model: string; sources: (SourceStatus & { name: string })[] };
  /** Lets running turns finish for `graceMs`, then cancels them; closes everything. */
  stop(graceMs?: number): Promise<void>;
}

export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { agents, folder, clock = systemClock } = options;
  const store = options.store ?? (await createSqliteStore({ folder }));
  const ready = new Map<string, ReadyAgent>();
  for (const agent of agents) ready.set(agent.name, await makeReady(agent, options));
  const maxActive = Math.max(...agents.map((agent) => agent.server.max_active_turns));
  const turns = createTurns({ maxActive, clock });
  const findAgent = (name: string) => ready.get(name) ?? throwNoAgent(name, agents);
  const deps = { store, turns, clock, findAgent, ...(options.log && { log: options.log }) };

  return {
    agents,
    get activeTurns() {
      return turns.active;
    },
    chat: (user, input) => chat(deps, user, input),
    answer: (user, input) => answer(deps, user, input),
    async cancel(user, conversationId) {
      const live = turns.findByConversation(user, conversationId);
      live?.cancel();
      await live?.done.catch(() => {});
      return live !== undefined;
    },
    readConversation: (user, id) => store.readConversation(user, id),
    readMessages: (user, id) => store.readMessages(user, id),
    readNewestTurn: (user, id) => store.readNewestTurn(user, id),
    listConversations: (user, page) => store.listConversations(user, page),
    readAudit: (user, page) => store.readAudit(user, page),
    describe(name) {
      const { model, sources } = findAgent(name);
      return { model: model.label, sources: sources.map((source) => ({ name: source.name, ...source.status() })) };
    },
    async stop(graceMs = 0) {
      await turns.stop(graceMs);
      await Promise.all([...ready.values()].map((agent) => agent.close()));
      await store.close();
    },
  };
}

/** An agent with its model and its tools opened. */
export async function makeReady(agent: Agent, options: Omit<RuntimeOptions, 'agents' | 'store'>): Promise<ReadyAgent> {
  const builtin = async () => (await import('../builtin/builtin-model.ts')).createBuiltinModel({ agent });
  const model =
    options.model ?? (await createModel(agent.model, { builtin, ...(options.clock && { clock: options.clock }) }));
  const sources = await openSources({ agent, folder: options.folder, ...(options.log && { log: options.log }) });
  return createReadyAgent({ agent, model, sources: [...sources, ...(options.sources ?? [])] });
}

function throwNoAgent(name: string, agents: readonly Agent[]): never {
  const names = agents.map((agent) => agent.name).join(', ');
  throw new AppError('agent_not_found', { detail: `There is no agent named ${name} here; there is ${names}.` });
}
