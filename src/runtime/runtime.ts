import packageJson from '../../package.json' with { type: 'json' };
import { type Clock, systemClock } from '../clock.ts';
import { type Ids, systemIds } from '../ids.ts';
import { type Log, type Report, withReports } from '../log.ts';
import type { Model } from '../models/model.ts';
import { createRefusals } from '../models/providers/provider-settings.ts';
import type { DomainState } from '../routing/ask/domain-tools.ts';
import type { Agent } from '../schema/agent.ts';
import type { Conversation } from '../schema/conversation/conversation.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { TurnMessage } from '../schema/conversation/history.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { User } from '../schema/user.ts';
import type { TextCheck } from '../schema/user-text.ts';
import type { StoreState } from '../store/shared.ts';
import type { AuditRecord, Page, ReadMessages, Store, StoredTurn } from '../store/store.ts';
import { createTelemetry } from '../telemetry/create-telemetry.ts';
import type { CodeTool } from '../tools/functions/code-tools.ts';
import type { Offer } from '../tools/offer.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import type { SourceStatus, ToolSource } from '../tools/tool.ts';
import { checkAgents, openAgentSet } from './agents/agent-set.ts';
import { makeReady } from './agents/make-ready.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';
import { type ConversationViews, createViews, type TaskViews } from './conversation-views.ts';
import { cancelTurn, deleteConversation } from './conversations.ts';
import { createLazyReader, type OcrOptions } from './files/lazy-reader.ts';
import type { KnowledgeViews } from './knowledge-views.ts';
import { createAbandoned } from './live/abandoned.ts';
import { type ActiveCountOptions, createActiveCount } from './live/active-conversations.ts';
import { userShares } from './live/admission.ts';
import { type ConversationList, createConversationList } from './live/conversation-list.ts';
import { type FollowedTurn, type FollowInput, follow } from './live/follow.ts';
import { joinServers } from './live/servers.ts';
import { createTurns, type Turns } from './live/turns.ts';
import type { LoginViews } from './login-views.ts';
import { loginViews, openLoginsOnce } from './logins.ts';
import { openAdmin, openStore, sharedDatabase } from './open-store.ts';
import { startRetention } from './retention.ts';
import { shownEvent, shownHistory, shownMessage, shownTurn } from './shown.ts';
import type { RuntimeTap } from './tap.ts';
import { guardChildren } from './team/guard-children.ts';
import { type AnswerInput, answerTurn } from './turn/answer-turn.ts';
import { type ChatInput, chat } from './turn/chat.ts';
import { type CompactInput, compact } from './turn/compact.ts';
import { type ContinueInput, continueInterrupted } from './turn/continue-interrupted.ts';
import { readNewestTurn, runThread, type ThreadRun } from './turn/thread-run.ts';
import type { ChatDeps, ChatTurn, EndedTurn } from './turn/turn.ts';

export interface RuntimeOptions {
  agents: readonly Agent[];
  /** The data folder: the store, the tools' tables, the local account. */
  folder: string;
  /** Replaces SQLite in the folder. */
  store?: Store;
  /** Replaces the models that the agents name. */
  model?: Model;
  /** Functions of your program, added to the tools of every agent. */
  tools?: readonly CodeTool[];
  /** Added to the tools that the agents name. */
  sources?: readonly ToolSource[];
  clock?: Clock;
  ids?: Ids;
  /** Receives diagnostics that users do not see; without it they are dropped. */
  log?: Log;
  /**
   * Receives details that only the author of an agent should see, such as where a function threw. Never sent over HTTP.
   */
  report?: Report;
  /** Receives traces and metrics as lines if no collector is configured; default: stderr. */
  writeTrace?(line: string): void;
  /** Receives the facts of every turn that ended here; must not throw. */
  onTurn?(turn: EndedTurn): void;
  /** Languages of text in pictures; default: English. */
  ocr?: OcrOptions;
  /** Your own checks of every user's text, run after the built-in ones. */
  textChecks?: readonly TextCheck[];
  /** Records or replaces the models and tools of a turn. */
  tap?: RuntimeTap;
}

/** Everything assembled once; the base of the terminal and the server. */
export interface Runtime extends TaskViews, ConversationViews, ConversationList, LoginViews, KnowledgeViews {
  readonly agents: readonly Agent[];
  /** Number of turns that are running now. */
  readonly activeTurns: number;
  /** Conversations of all users with a request within their agent's time to live. */
  countActive(): Promise<number>;
  chat(user: User, input: ChatInput): Promise<ChatTurn>;
  /** Takes a run on a thread as a message or as the answers that its turn waits for. */
  runThread(user: User, run: ThreadRun): Promise<ChatTurn>;
  /** Answers waiting calls and continues the turn. */
  answer(user: User, input: AnswerInput): Promise<ChatTurn>;
  /** Continues a turn whose process has died; no completed call is run again. */
  continueInterrupted(user: User, input: ContinueInput): Promise<ChatTurn>;
  /** Creates a summary that later turns use instead of the messages before it. */
  compact(user: User, input: CompactInput): Promise<ChatTurn>;
  /** Replaces the agent of the same name: the next turn uses the new one, a running turn keeps the old one. */
  replaceAgent(agent: Agent): Promise<void>;
  /** A conversation's newest turn after a position, live or stored; later turns too if the reader stays. */
  follow(user: User, input: FollowInput): AsyncGenerator<FollowedTurn, void>;
  /** Stops a running or waiting turn and keeps its output so far; false if there is none. */
  cancel(user: User, conversationId: string): Promise<boolean>;
  /** Deletes a conversation with everything in it, after stopping its running turn; false if there was none. */
  deleteConversation(user: User, id: string): Promise<boolean>;
  /** Records activity; every request counts. */
  touchConversation(user: User, id: string): Promise<void>;
  readThread(user: User, agent: string, threadId: string): Promise<Conversation | undefined>;
  /** The newest conversation whose thread begins with this prefix. */
  readNewestThread(user: User, agent: string, prefix: string): Promise<Conversation | undefined>;
  readTurn(user: User, turnId: string): Promise<StoredTurn | undefined>;
  readConversation(user: User, id: string): Promise<Conversation | undefined>;
  readMessages(user: User, conversationId: string, options?: ReadMessages): Promise<Message[]>;
  /** Messages with their turns; each answer with its result data. */
  readHistory(user: User, conversationId: string, options?: Pick<ReadMessages, 'last'>): Promise<TurnMessage[]>;
  /** All stored events of a turn, in order. */
  readEvents(user: User, turnId: string): Promise<Event[]>;
  /** A running turn that asks a question is returned as `waiting`. */
  readNewestTurn(user: User, conversationId: string): Promise<StoredTurn | undefined>;
  readAudit(user: User, page: Page): Promise<AuditRecord[]>;
  /** The agent's model label and the state of each source, for display. */
  describe(agent: string): { model: string; sources: (SourceStatus & { name: string })[] };
  /** The tools that this user's turns may call, and the refused tools with reasons. */
  listTools(user: User, agent: string, options: ListOptions): Promise<Offer>;
  /** The domains of an agent, each with the reason if this user cannot query it now. */
  listDomains(user: User, agent: string, options: { signal: AbortSignal }): Promise<DomainState[]>;
  /** The kind of the store, for probes. */
  describeStore(): StoreState;
  /** The reason why no turn can start now, as a sentence for users; undefined if turns can start. */
  findProblem(): string | undefined;
  /** Accepts the changed tool definitions of an agent's servers on behalf of a person. */
  acceptTools(agent: string): Promise<void>;
  /** Lets running turns finish for `graceMs`, then interrupts them and closes everything. */
  stop(graceMs?: number): Promise<void>;
}

interface ListOptions {
  signal: AbortSignal;
  /** Members on other servers are looked at too. */
  looks?: boolean;
}

/** Opens the store and the agents. One runtime per process; `stop()` closes it. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { agents, folder, clock = systemClock, ids = systemIds, textChecks, onTurn, tap } = options;
  checkAgents(agents);
  const place = { database: sharedDatabase(agents), folder };
  const store = options.store ?? (await openStore({ ...place, clock, ids }));
  const turns = createTurns({ maxActive: mostActive(agents), maxPerUser: largestShare(agents), clock });
  const { close: closeLists, ...lists } = createConversationList(store, turns);
  const telemetry = createTelemetry({ version: packageJson.version, write: options.writeTrace ?? toStderr });
  const models = { refusals: createRefusals(), windows: new Map<string, number>() };
  const log = withReports(options.log, options.report);
  const logins = openLoginsOnce({ store, folder, clock });
  const set = await openAgentSet({
    agents,
    async makeReady(agent) {
      await telemetry.prepare(agent);
      return makeReady(agent, { ...options, clock, ids, store, log, ...models, logins });
    },
    settled: turns.settled,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const findAgent = set.find;
  const abandoned = createAbandoned({ store, clock });
  const servers = joinServers({ store, turns, log });
  const reader = createLazyReader({ ...options, wrap: tap?.reader });
  const own = { clock, ids, delegate: through(tap), findAgent, openReader: reader.openReader, telemetry, log, onTurn };
  const deps = { store, turns, hub: servers.hub, abandoned, ...own, ...(textChecks && { textChecks }) };
  servers.start(deps);
  // A store that was passed in is its owner's to clean up.
  const retention = options.store
    ? undefined
    : startRetention({ ...own, agents: () => set.agents, openAdmin: () => openAdmin(place) });
  const stopAll = async (graceMs: number): Promise<void> => {
    closeLists();
    retention?.close();
    await servers.stop();
    await turns.stop(graceMs);
    servers.close();
    for (const part of [reader.close, abandoned.stop, set.close, telemetry.close, store.close]) await part();
  };

  const runtime: Runtime = {
    get agents() {
      return set.agents;
    },
    get activeTurns() {
      return turns.active;
    },
    ...turnsOf(deps),
    ...lists,
    ...createViews(deps),
    ...loginViews(logins, (name) => findAgent(name).agent),
    replaceAgent: (agent) => set.replace(agent),
    cancel: (user, conversationId) => cancelTurn(deps, user, conversationId),
    deleteConversation: (user, id) => deleteConversation(deps, user, id),
    ...readsOf(store, turns, { agents: () => set.agents, clock }),
    describe: (name) => describeAgent(findAgent(name)),
    listTools: (user, name, options) => listTools(findAgent(name), user, options),
    listDomains: (user, name, options) => findAgent(name).checkDomains(user, options),
    describeStore: store.describe,
    findProblem: () =>
      store.findProblem()?.message ?? (abandoned.size > 0 ? 'The end of a turn is not stored yet.' : undefined),
    async acceptTools(name) {
      await Promise.all(findAgent(name).sources.map((source) => source.accept?.()));
    },
    stop: onlyOnce(stopAll),
  };
  return guardChildren(runtime, store);
}

const through = (tap: RuntimeTap | undefined) => tap?.delegating?.(delegate) ?? delegate;

/** Loaded with the first delegation. */
const delegate: ChatDeps['delegate'] = async (...work) => (await import('./team/member-turns.ts')).delegate(...work);

function onlyOnce(stop: (graceMs: number) => Promise<void>): Runtime['stop'] {
  let stopped: Promise<void> | undefined;
  return (graceMs = 0) => {
    stopped ??= stop(graceMs);
    return stopped;
  };
}

async function listTools({ sources, offer }: ReadyAgent, user: User, { signal, looks }: ListOptions): Promise<Offer> {
  if (looks) await Promise.all(sources.map((source) => source.look?.(user, signal)));
  return offer(user, { signal });
}

function describeAgent({ model, sources }: ReadyAgent): ReturnType<Runtime['describe']> {
  return { model: model.label, sources: sources.map((source) => ({ name: source.name, ...source.status() })) };
}

/** The methods that return a turn's events, filtered for fronts. */
function turnsOf(
  deps: ChatDeps,
): Pick<Runtime, 'chat' | 'runThread' | 'answer' | 'continueInterrupted' | 'compact' | 'follow'> {
  return {
    chat: async (user, input) => shownTurn(await chat(deps, user, input)),
    runThread: async (user, run) => shownTurn(await runThread(deps, user, run)),
    answer: async (user, input) => shownTurn(await answerTurn(deps, user, input)),
    continueInterrupted: async (user, input) => shownTurn(await continueInterrupted(deps, user, input)),
    compact: async (user, input) => shownTurn(await compact(deps, user, input)),
    async *follow(user, input) {
      for await (const turn of follow(deps, user, input)) yield shownTurn(turn);
    },
  };
}

type Reads =
  | 'countActive'
  | 'touchConversation'
  | 'readThread'
  | 'readNewestThread'
  | 'readTurn'
  | 'readConversation'
  | 'readMessages'
  | 'readHistory'
  | 'readEvents'
  | 'readNewestTurn'
  | 'readAudit';

/** The methods that read from the store, filtered for fronts. */
function readsOf(store: Store, turns: Turns, counted: Omit<ActiveCountOptions, 'store'>): Pick<Runtime, Reads> {
  return {
    countActive: createActiveCount({ store, ...counted }),
    touchConversation: (user, id) => store.touchConversation(user, id, counted.clock.date().toISOString()),
    readThread: (user, agent, threadId) => store.readThread(user, agent, threadId),
    readNewestThread: (user, agent, prefix) => store.readNewestThread(user, agent, prefix),
    readTurn: (user, id) => store.readTurn(user, id),
    readConversation: (user, id) => store.readConversation(user, id),
    readMessages: async (user, id, options) => (await store.readMessages(user, id, options)).map(shownMessage),
    readHistory: async (user, id, options) => (await store.readHistory(user, id, options)).map(shownHistory),
    readEvents: async (user, turnId) => (await store.readEvents(user, turnId)).map(shownEvent),
    readNewestTurn: (user, id) => readNewestTurn({ store, turns }, user, id),
    readAudit: (user, page) => store.readAudit(user, page),
  };
}

function mostActive(agents: readonly Agent[]): number {
  return Math.max(...agents.map(({ server }) => server.max_active_turns));
}

/** Turns of one user over all agents; undefined if any agent sets no limit. */
function largestShare(agents: readonly Agent[]): number | undefined {
  const shares = agents.map(({ server }) => userShares(server).turns ?? Number.POSITIVE_INFINITY);
  const largest = Math.max(...shares);
  return Number.isFinite(largest) ? largest : undefined;
}

function toStderr(line: string): void {
  process.stderr.write(`${sanitizeText(line)}\n`);
}
