import packageJson from '../../package.json' with { type: 'json' };
import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type Log, type Report, withReports } from '../log.ts';
import { createModel } from '../models/create-model.ts';
import type { Model } from '../models/model.ts';
import { createRefusals, type Refusals } from '../models/refusals.ts';
import type { DomainState } from '../routing/domain-tools.ts';
import type { Agent } from '../schema/agent.ts';
import type { Conversation } from '../schema/conversation.ts';
import type { Event } from '../schema/event.ts';
import type { TurnMessage } from '../schema/history.ts';
import type { Message } from '../schema/message.ts';
import { modelLimits } from '../schema/model-limits.ts';
import type { User } from '../schema/user.ts';
import type { TextCheck } from '../schema/user-text.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { AuditRecord, Page, ReadMessages, Store, StoredResult, StoredTurn } from '../store/store.ts';
import { createTelemetry } from '../telemetry/create-telemetry.ts';
import type { Offer } from '../tools/offer.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import type { SourceStatus, ToolSource } from '../tools/tool.ts';
import { createAbandoned } from './abandoned.ts';
import { type ActiveCountOptions, createActiveCount } from './active-conversations.ts';
import { userShares } from './admission.ts';
import { openAgentSet } from './agent-set.ts';
import { awaitTools } from './await-tools.ts';
import { type ChatInput, chat } from './chat.ts';
import { type CompactInput, compact } from './compact.ts';
import { type AnswerInput, answer, type ChatDeps, type ChatTurn, continueInterrupted } from './continue-turn.ts';
import { cancelTurn, deleteConversation } from './conversations.ts';
import { openDomains, shareVectors } from './domains.ts';
import { type FollowedTurn, type FollowInput, follow } from './follow.ts';
import { createLazyReader, type OcrOptions } from './lazy-reader.ts';
import { createReadyAgent, type ReadyAgent } from './ready-agent.ts';
import { shownEvent, shownHistory, shownMessage, shownTurn } from './shown.ts';
import { openSources } from './sources.ts';
import { createTurns, type Turns } from './turns.ts';
import { withoutFiles } from './without-files.ts';

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
  /** Takes what only the author of an agent should see, such as where a function threw. Never shown over HTTP. */
  report?: Report;
  /** Takes traces and metrics as lines where no receiver is named; stderr unless given. */
  writeTrace?(line: string): void;
  /** What pictures of text are read as; English unless given. */
  ocr?: OcrOptions;
  /** Checks of your own that every user's text passes, after those of ours. */
  textChecks?: readonly TextCheck[];
}

/** Everything assembled once: what the terminal and the server stand on. */
export interface Runtime {
  readonly agents: readonly Agent[];
  /** Turns that run now. */
  readonly activeTurns: number;
  /** Conversations with a request within their agent's time to live, of all users. */
  countActive(): Promise<number>;
  chat(user: User, input: ChatInput): Promise<ChatTurn>;
  /** Answers waiting calls and goes on with the turn. */
  answer(user: User, input: AnswerInput): Promise<ChatTurn>;
  /** Goes on with a turn whose process has died; nothing that was done is done again. */
  continueInterrupted(user: User, conversationId: string): Promise<ChatTurn>;
  /** Has a summary made that later turns go on from, instead of what came before it. */
  compact(user: User, input: CompactInput): Promise<ChatTurn>;
  /** Takes the place of the agent of the same name: the next turn uses it, a running one keeps what it began with. */
  replaceAgent(agent: Agent): Promise<void>;
  /** A conversation's newest turn after a position, live or stored, and the later ones for a reader who stays. */
  follow(user: User, input: FollowInput): AsyncGenerator<FollowedTurn, void>;
  /** Stops a running or waiting turn and keeps what is there; false when there is none. */
  cancel(user: User, conversationId: string): Promise<boolean>;
  /** With everything in it, its running turn stopped first; false when there was none. */
  deleteConversation(user: User, id: string): Promise<boolean>;
  /** Any request counts as activity. */
  touchConversation(user: User, id: string): Promise<void>;
  readThread(user: User, agent: string, threadId: string): Promise<Conversation | undefined>;
  readConversation(user: User, id: string): Promise<Conversation | undefined>;
  readMessages(user: User, conversationId: string, options?: ReadMessages): Promise<Message[]>;
  /** Messages with their turns, and answers with what they were given with. */
  readHistory(user: User, conversationId: string, options?: Pick<ReadMessages, 'last'>): Promise<TurnMessage[]>;
  /** All turns of a conversation, siblings too, newest first. */
  listTurns(user: User, conversationId: string, page: Page): Promise<StoredTurn[]>;
  readResult(user: User, turnId: string): Promise<StoredResult | undefined>;
  /** All stored events of a turn, in order. */
  readEvents(user: User, turnId: string): Promise<Event[]>;
  /** A running turn that asks a question reads `waiting`. */
  readNewestTurn(user: User, conversationId: string): Promise<StoredTurn | undefined>;
  listConversations(user: User, page: Page & { agent?: string }): Promise<Conversation[]>;
  readAudit(user: User, page: Page): Promise<AuditRecord[]>;
  /** What an agent answers with, for people: the model's label and the state of each source. */
  describe(agent: string): { model: string; sources: (SourceStatus & { name: string })[] };
  /** What this user's turns may call, and what is not offered, and why. */
  listTools(user: User, agent: string, options: { signal: AbortSignal }): Promise<Offer>;
  /** The domains that an agent answers about, and why one cannot be asked by this user now. */
  listDomains(user: User, agent: string, options: { signal: AbortSignal }): Promise<DomainState[]>;
  /** Why no turn can be taken now, in words for people; undefined when turns can. */
  findProblem(): string | undefined;
  /** A person agrees to the changed definitions of an agent's servers. */
  acceptTools(agent: string): Promise<void>;
  /** Lets running turns finish for `graceMs`, then cancels them; closes everything. */
  stop(graceMs?: number): Promise<void>;
}

export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { agents, folder, clock = systemClock, textChecks } = options;
  checkAgents(agents);
  const store = options.store ?? (await createSqliteStore({ folder }));
  const maxActive = Math.max(...agents.map((agent) => agent.server.max_active_turns));
  const turns = createTurns({ maxActive, maxPerUser: largestShare(agents), clock });
  const telemetry = createTelemetry({ version: packageJson.version, write: options.writeTrace ?? toStderr });
  const refusals = createRefusals();
  const log = withReports(options.log, options.report);
  const set = await openAgentSet({
    agents,
    async makeReady(agent) {
      await telemetry.prepare(agent);
      return makeReady(agent, { ...options, store, log, refusals });
    },
    settled: turns.settled,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const findAgent = set.find;
  const abandoned = createAbandoned({ store, clock });
  const given = { log, ...(textChecks && { textChecks }) };
  const reader = createLazyReader(options);
  const deps = { store, turns, abandoned, clock, findAgent, openReader: reader.openReader, telemetry, ...given };

  let stopped: Promise<void> | undefined;
  const stopAll = async (graceMs: number): Promise<void> => {
    await turns.stop(graceMs);
    await reader.close();
    await abandoned.stop();
    await set.close();
    await telemetry.close();
    await store.close();
  };

  return {
    get agents() {
      return set.agents;
    },
    get activeTurns() {
      return turns.active;
    },
    ...turnsOf(deps),
    replaceAgent: (agent) => set.replace(agent),
    cancel: (user, conversationId) => cancelTurn(deps, user, conversationId),
    deleteConversation: (user, id) => deleteConversation(deps, user, id),
    touchConversation: (user, id) => store.touchConversation(user, id, clock.date().toISOString()),
    ...readsOf(store, turns, { agents: () => set.agents, clock }),
    describe(name) {
      const { model, sources } = findAgent(name);
      return { model: model.label, sources: sources.map((source) => ({ name: source.name, ...source.status() })) };
    },
    listTools: (user, name, { signal }) => findAgent(name).offer(user, { signal }),
    listDomains: (user, name, options) => findAgent(name).checkDomains(user, options),
    findProblem: () =>
      store.findProblem()?.message ?? (abandoned.size > 0 ? 'The end of a turn could not be stored yet.' : undefined),
    async acceptTools(name) {
      await Promise.all(findAgent(name).sources.map((source) => source.accept?.()));
    },
    stop(graceMs = 0) {
      stopped ??= stopAll(graceMs);
      return stopped;
    },
  };
}

/** The ways to a turn's events, as fronts may show them. */
function turnsOf(deps: ChatDeps): Pick<Runtime, 'chat' | 'answer' | 'continueInterrupted' | 'compact' | 'follow'> {
  return {
    chat: async (user, input) => shownTurn(await chat(deps, user, input)),
    answer: async (user, input) => shownTurn(await answer(deps, user, input)),
    continueInterrupted: async (user, id) => shownTurn(await continueInterrupted(deps, user, id)),
    compact: async (user, input) => shownTurn(await compact(deps, user, input)),
    async *follow(user, input) {
      for await (const turn of follow(deps, user, input)) yield shownTurn(turn);
    },
  };
}

type Reads =
  | 'countActive'
  | 'readThread'
  | 'readConversation'
  | 'readMessages'
  | 'readHistory'
  | 'listTurns'
  | 'readResult'
  | 'readEvents'
  | 'readNewestTurn'
  | 'listConversations'
  | 'readAudit';

/** Reads from the store, as fronts may show them. */
function readsOf(store: Store, turns: Turns, counted: Omit<ActiveCountOptions, 'store'>): Pick<Runtime, Reads> {
  return {
    countActive: createActiveCount({ store, ...counted }),
    readThread: (user, agent, threadId) => store.readThread(user, agent, threadId),
    readConversation: (user, id) => store.readConversation(user, id),
    readMessages: async (user, id, options) => (await store.readMessages(user, id, options)).map(shownMessage),
    readHistory: async (user, id, options) => (await store.readHistory(user, id, options)).map(shownHistory),
    listTurns: (user, id, page) => store.listTurns(user, id, page),
    readResult: (user, turnId) => store.readResult(user, turnId),
    readEvents: async (user, turnId) => (await store.readEvents(user, turnId)).map(shownEvent),
    async readNewestTurn(user, id) {
      const turn = await store.readNewestTurn(user, id);
      const isPaused = turn && turns.findByTurn(user, turn.id)?.isPaused();
      return isPaused ? { ...turn, status: 'waiting' } : turn;
    },
    listConversations: (user, page) => store.listConversations(user, page),
    readAudit: (user, page) => store.readAudit(user, page),
  };
}

/** Turns of one user over all agents; undefined as soon as one agent sets no limit. */
function largestShare(agents: readonly Agent[]): number | undefined {
  const shares = agents.map(({ server }) => userShares(server).turns ?? Number.POSITIVE_INFINITY);
  const largest = Math.max(...shares);
  return Number.isFinite(largest) ? largest : undefined;
}

/** What an agent asks for and is not there yet must be said, not passed over. */
function checkAgents(agents: readonly Agent[]): void {
  if (agents.length === 0) throw new AppError('config_invalid', { detail: 'At least one agent is needed.' });
  const shared = agents.find((agent) => agent.database !== undefined);
  if (!shared) return;
  const detail = `${shared.name}: database: another store than SQLite in the data folder is not supported yet. Leave the key out.`;
  throw new AppError('config_invalid', { detail });
}

/** An agent with its model and its tools opened. */
export async function makeReady(
  agent: Agent,
  options: Omit<RuntimeOptions, 'agents'> & { refusals?: Refusals },
): Promise<ReadyAgent> {
  const { folder, clock = systemClock, store, log, report, refusals } = options;
  const vectors = shareVectors();
  const isBuiltin = !options.model && agent.model.provider === 'builtin';
  const domains = await openDomains({ agent, clock, vectors, isBuiltin });
  const plan = domains && { plan: domains.plan };
  const builtin = async () =>
    awaitTools(
      withoutFiles((await import('../builtin/builtin-model.ts')).createBuiltinModel({ agent, vectors, ...plan })),
    );
  const model =
    options.model ??
    (await createModel(agent.model, {
      builtin,
      maxReplyChars: modelLimits(agent).reply_chars,
      ...(options.clock && { clock: options.clock }),
      ...(refusals && { refusals }),
      ...(log && { log }),
    }));
  const writer = isBuiltin ? {} : { writer: model };
  const sources = await openSources({
    agent,
    folder,
    clock,
    vectors,
    ...writer,
    ...(store && { store }),
    ...(log && { log }),
    ...(report && { report }),
  });
  return createReadyAgent({ agent, model, sources: [...sources, ...(options.sources ?? [])], domains });
}

function toStderr(line: string): void {
  process.stderr.write(`${sanitizeText(line)}\n`);
}
