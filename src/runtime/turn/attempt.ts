import { runTurn } from '../../agent/loop.ts';
import { keptMessages } from '../../agent/prompt.ts';
import type { Questions, TurnDeps } from '../../agent/running-turn.ts';
import { foldEvents, openCalls, type TurnState } from '../../agent/turn-state.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { Ids } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Model, ToolChoice } from '../../models/model.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import { seesPictures } from '../../schema/model-config.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { Store, TurnLease } from '../../store/store.ts';
import { memberName } from '../../team/member-name.ts';
import type { Pot } from '../../team/pot.ts';
import type { TeamTurn } from '../../team/take-part.ts';
import type { Tool } from '../../tools/tool.ts';
import { FIRST_WAIT_MS, type ReadyAgent } from '../agents/ready-agent.ts';
import { createBudget } from '../budget.ts';
import { type AttachedFile, discardFiles } from '../files/attached-file.ts';
import { loadAttachments } from '../files/attachments.ts';
import { createShownPictures, picturesOf } from '../files/pictures.ts';
import { filesTimeMs, readFiles } from '../files/read-files.ts';
import { type ContextEntry, withContext } from './caller-context.ts';
import { createStoreJournal } from './journal.ts';
import { sinceSummary } from './summary.ts';
import { conversationNotFound } from './turn-errors.ts';

export interface TurnAttempt {
  store: Store;
  clock: Clock;
  ids: Ids;
  user: User;
  /** The conversation's first agent. */
  ready: ReadyAgent;
  /** Finds a member of its team. */
  findAgent(name: string): ReadyAgent;
  lease: TurnLease;
  /** The turn's events so far, of all attempts; the newest was written together with the lease. */
  events: readonly Event[];
  clientTools: readonly Tool[];
  /** The files of the message; empty if the turn continues after a crash without them. */
  files: readonly AttachedFile[];
  /** Context from the caller's page, for this attempt only. */
  context?: readonly ContextEntry[];
  /** Notices of this attempt, shown to the user only. */
  notices?: readonly string[];
  /** The metadata of a conversation that begins with this attempt: it has no earlier messages or files. */
  memory?: JsonObject | undefined;
  /** The tool that the first reply of the turn must call. */
  toolChoice?: ToolChoice | undefined;
  /** Ends the turn once its calls have an outcome. */
  endsAfterCalls?: boolean;
  /** The trace context of a model call or a tool call. */
  traceparent?: ((key: string) => string) | undefined;
  /** The limits that a member's turn shares with its team. */
  pot?: Pot | undefined;
  /** Runs a turn of a member; absent if the agent has none. */
  delegate?: ((pot: Pot) => NonNullable<TurnDeps['delegate']>) | undefined;
  openReader(): Promise<FileReader>;
  log?: Log;
}

/** Runs one attempt at a turn from its stored events: loads history and tools, then runs the loop. */
export async function* runTurnAttempt(
  attempt: TurnAttempt,
  signal: AbortSignal,
  questions: Questions,
): AsyncGenerator<Event, TurnResult> {
  const { store, clock, user, ready, lease } = attempt;
  const { agent } = ready;
  const startedAt = clock.now();
  const state = foldEvents(attempt.events);
  const journal = createStoreJournal({
    store,
    user,
    lease,
    clock,
    toolOutputChars: agent.limits.tool_output_chars,
    alreadyWritten: attempt.events.filter((event) => parsePosition(event.id).attempt === lease.attempt).length,
  });
  const pictures = createShownPictures(agent);
  yield* readFiles({ ...attempt, state, journal, signal, pictures, timeMs: filesTimeMs(agent) });
  await discardFiles(attempt.files);
  // A call that was left open needs its tool at once, so wait for slow servers.
  const waitMs = openCalls(state).length === 0 ? FIRST_WAIT_MS : undefined;
  const budgetOf = (one: ReadyAgent['agent'], spent: number) => createBudget({ ...attempt, agent: one, spent });
  const budget = budgetOf(agent, state.usage?.cost_usd ?? 0);
  const pots = (attempt.delegate || attempt.pot) && (await import('../../team/pot.ts'));
  const ownBudgets = new Map<ReadyAgent, typeof budget>();
  const pot = pots?.openPot(attempt.pot, { state, limits: agent.limits, budget });
  const question = state.messages[0]?.id;
  const context = { messageId: question, entries: attempt.context, isOfTask: attempt.pot !== undefined };
  const depsOf = async (name: string, tools: readonly Tool[] = []): Promise<TurnDeps> => {
    const speaker = name === agent.name ? ready : attempt.findAgent(name);
    const given = { ...attempt, ready: speaker, clientTools: [...tools, ...attempt.clientTools] };
    const { offered, attached, ...parts } = await gather(given, { signal, waitMs });
    const spent = pots?.costOfSpeaker(attempt.events, memberName(name)) ?? 0;
    const own = speaker === ready ? undefined : (ownBudgets.get(speaker) ?? budgetOf(speaker.agent, spent));
    ownBudgets.set(speaker, own);
    const shared = pot && (own ? { ...pot, budgets: [...pot.budgets, own] } : pot);
    return {
      ...parts,
      agent: speaker.agent,
      user,
      tools: offered,
      notices: attempt.notices ?? [],
      attached: withContext(attached, { ...context, limits: modelLimits(speaker.agent) }),
      ...((speaker === ready || seesPictures(speaker.agent.model)) && picturesOf(question, pictures)),
      journal,
      validator: speaker.validator,
      plugins: speaker.plugins,
      budget: shared ? pots?.chainBudgets(shared.budgets) : budget,
      delegate: shared && attempt.delegate?.(shared),
      readers: await readersOf(attempt, state, speaker),
      limitMs: attempt.pot?.limitMs,
      traceparent: attempt.traceparent,
      clock,
      ids: attempt.ids,
      spentMs: clock.now() - startedAt,
      zone: speaker.zones(user.timezone ?? agent.server.timezone),
      signal,
      questions,
      mayAct: store.mayAct,
      toolChoice: attempt.toolChoice,
      ...(attempt.endsAfterCalls && { endsAfterCalls: true }),
      ...(attempt.log && { log: attempt.log }),
    };
  };
  const alone = agent.handoffs?.length ? undefined : await depsOf(agent.name);
  const isAlone = alone && state.handedOverTo.length === 0 && !alone.history.some(isOfTeam);
  return yield* runTurn(state, isAlone ? alone : await ofTeam(attempt, { state, depsOf }));
}

/** Agents of a team are named in their messages; the team may be gone from the file since then. */
function isOfTeam({ metadata }: Message): boolean {
  return metadata.agent !== undefined;
}

/** The members that read the answers of the agent that has the conversation, and of all answers of the team. */
async function readersOf(attempt: TurnAttempt, state: TurnState, speaker: ReadyAgent): Promise<TurnDeps['readers']> {
  const { agent: first } = attempt.ready;
  const agents = new Set([speaker.agent, first]);
  if (![...agents].some(({ then }) => then?.length)) return undefined;
  const format = state.responseFormat ?? first.response_format;
  return (await import('../../team/read-answer.ts')).createReaders({ agents, state, format, ids: attempt.ids });
}

/** The parts for the agent that has the conversation. If the store cannot be read, nobody answers. */
async function ofTeam(attempt: TurnAttempt, { state, depsOf }: Pick<TeamTurn, 'state' | 'depsOf'>): Promise<TurnDeps> {
  const { store, user, ready, lease } = attempt;
  const { takePart } = await import('../../team/take-part.ts');
  const readLast = (last: number) =>
    whileAway(attempt, () => store.readMessages(user, lease.conversationId, { last, exceptTurn: lease.turnId }));
  return takePart({ first: ready.agent, state, readLast, depsOf }).catch(async (error) => ({
    ...(await depsOf(ready.agent.name, [])),
    model: failingModel(ready.model.label, error),
  }));
}

/** Loads history, files and tools. A failure becomes a failing model, so that the turn itself reports it. */
async function gather(attempt: TurnAttempt, { signal, waitMs }: { signal: AbortSignal; waitMs: number | undefined }) {
  const { user, ready, clientTools } = attempt;
  const limits = modelLimits(ready.agent);
  try {
    const hasFiles = !attempt.memory || attempt.files.length > 0;
    const read = () => loadAttachments({ ...attempt, ...attempt.lease, limits });
    const attachments = hasFiles ? await whileAway(attempt, read) : undefined;
    const tools = attachments?.tool ? [attachments.tool, ...clientTools] : clientTools;
    const [{ history, memory }, offer] = await Promise.all([
      whileAway(attempt, () => readHistory(attempt)),
      ready.offer(user, { clientTools: tools, signal, ...(waitMs !== undefined && { waitMs }) }),
    ]);
    const { offered, notes, late } = offer;
    const parts = { history, memory, offered, notes, ...(late && { late }) };
    return { ...parts, model: ready.model, attached: attachments?.shown ?? new Map() };
  } catch (error) {
    const model = failingModel(ready.model.label, error);
    return { history: [], memory: {}, offered: new Map(), notes: [], model, attached: new Map() };
  }
}

const AWAY_PAUSE_MS = 100;

/** A shared database may be away for a moment: reading is tried again as long as our lease lasts. */
async function whileAway<T>({ store, clock }: TurnAttempt, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'store_unavailable';
      if (!isAway || !store.isShared || !store.mayAct()) throw error;
      await new Promise<void>((resolve) => clock.after(AWAY_PAUSE_MS, resolve));
    }
  }
}

function failingModel(label: string, error: unknown): Model {
  return {
    label,
    // biome-ignore lint/correctness/useYield: it fails before it emits anything
    async *stream() {
      throw error;
    },
  };
}

/** Earlier messages up to the agent's limit, without those of this turn; and the conversation's metadata. */
async function readHistory(attempt: TurnAttempt): Promise<{ history: Message[]; memory: JsonObject }> {
  const { store, user, ready, lease, memory: begun } = attempt;
  if (begun) return { history: [], memory: begun };
  const conversation = await store.readConversation(user, lease.conversationId);
  // Deleted since the turn began.
  if (!conversation) throw conversationNotFound();
  const { message_count: total, metadata: memory } = conversation;
  if (total <= 1) return { history: [], memory };
  const last = keptMessages(total, ready.agent.limits.history_messages);
  const messages = await store.readMessages(user, lease.conversationId, { last, exceptTurn: lease.turnId });
  return { history: [...sinceSummary(messages)], memory };
}
