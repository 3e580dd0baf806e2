import { runTurn } from '../agent/loop.ts';
import { keptMessages } from '../agent/prompt.ts';
import type { Questions } from '../agent/running-turn.ts';
import { foldEvents, openCalls } from '../agent/turn-state.ts';
import type { Clock } from '../clock.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Log } from '../log.ts';
import type { Model } from '../models/model.ts';
import type { Event } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { parsePosition } from '../schema/position.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import type { Store, TurnLease } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { type AttachedFile, discardFiles } from './attached-file.ts';
import { loadAttachments } from './attachments.ts';
import { type ContextEntry, withContext } from './caller-context.ts';
import { createStoreJournal } from './journal.ts';
import { filesTimeMs, readFiles } from './read-files.ts';
import { FIRST_WAIT_MS, type ReadyAgent } from './ready-agent.ts';
import { sinceSummary } from './summary.ts';

export interface Attempt {
  store: Store;
  clock: Clock;
  user: User;
  ready: ReadyAgent;
  lease: TurnLease;
  /** The turn's events so far, all attempts, the newest written together with the lease. */
  events: readonly Event[];
  clientTools: readonly Tool[];
  /** The files that the message brings; none when it goes on after a crash without them. */
  files: readonly AttachedFile[];
  /** What the caller's page shows, for this attempt only. */
  context?: readonly ContextEntry[];
  /** Notices of this attempt for the user alone. */
  notices?: readonly string[];
  /** Ends the turn once its calls have an outcome. */
  endsAfterCalls?: boolean;
  /** The trace context of a model call or a tool call. */
  traceparent?: ((key: string) => string) | undefined;
  openReader(): Promise<FileReader>;
  log?: Log;
}

/** Runs one attempt at a turn from what is stored of it: history and tools are fetched, then the loop goes on. */
export async function* runAttempt(
  attempt: Attempt,
  signal: AbortSignal,
  questions: Questions,
): AsyncGenerator<Event, TurnResult> {
  const { store, clock, user, ready, lease } = attempt;
  const { agent, validator, plugins } = ready;
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
  yield* readFiles({ ...attempt, state, journal, signal, timeMs: filesTimeMs(agent) });
  await discardFiles(attempt.files);
  // A call that was left open needs its tool at once.
  const waitMs = openCalls(state).length === 0 ? FIRST_WAIT_MS : undefined;
  const { history, memory, offered, notes, late, model, attached } = await gather(attempt, { signal, waitMs });
  return yield* runTurn(state, {
    agent,
    user,
    model,
    tools: offered,
    notes,
    ...(late && { late }),
    notices: attempt.notices ?? [],
    history,
    memory,
    attached: withContext(attached, {
      messageId: state.messages[0]?.id,
      entries: attempt.context,
      limits: modelLimits(agent),
    }),
    journal,
    validator,
    plugins,
    traceparent: attempt.traceparent,
    clock,
    spentMs: clock.now() - startedAt,
    zone: ready.zones(user.timezone ?? agent.server.timezone),
    signal,
    questions,
    ...(attempt.endsAfterCalls && { endsAfterCalls: true }),
    ...(attempt.log && { log: attempt.log }),
  });
}

/** What the turn needs from elsewhere. What cannot be had is told by the turn itself, as a model's failure is. */
async function gather(attempt: Attempt, { signal, waitMs }: { signal: AbortSignal; waitMs: number | undefined }) {
  const { user, ready, clientTools } = attempt;
  try {
    const attachments = await loadAttachments({ ...attempt, ...attempt.lease, limits: modelLimits(ready.agent) });
    const tools = attachments.tool ? [attachments.tool, ...clientTools] : clientTools;
    const [{ history, memory }, offer] = await Promise.all([
      readHistory(attempt),
      ready.offer(user, { clientTools: tools, signal, ...(waitMs !== undefined && { waitMs }) }),
    ]);
    const { offered, notes, late } = offer;
    return { history, memory, offered, notes, late, model: ready.model, attached: attachments.shown };
  } catch (error) {
    const model = failingModel(ready.model.label, error);
    return { history: [], memory: {}, offered: new Map(), notes: [], late: undefined, model, attached: new Map() };
  }
}

function failingModel(label: string, error: unknown): Model {
  return {
    label,
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    async *stream() {
      throw error;
    },
  };
}

/** Earlier messages, as many as the agent's limit lets through, without those of this turn; and what is remembered. */
async function readHistory({
  store,
  user,
  ready,
  lease,
}: Attempt): Promise<{ history: Message[]; memory: JsonObject }> {
  const conversation = await store.readConversation(user, lease.conversationId);
  const total = conversation?.message_count ?? 0;
  const memory = conversation?.metadata ?? {};
  if (total <= 1) return { history: [], memory };
  const last = keptMessages(total, ready.agent.limits.history_messages);
  const messages = await store.readMessages(user, lease.conversationId, { last, exceptTurn: lease.turnId });
  return { history: [...sinceSummary(messages)], memory };
}
