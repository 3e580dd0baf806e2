import { runTurn } from '../agent/loop.ts';
import { keptMessages } from '../agent/prompt.ts';
import type { Questions } from '../agent/running-turn.ts';
import { foldEvents } from '../agent/turn-state.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Event } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import type { Store, TurnLease } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { createStoreJournal } from './journal.ts';
import type { ReadyAgent } from './ready-agent.ts';
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
  log?: Log;
}

/** Runs one attempt at a turn from what is stored of it: history and tools are fetched, then the loop goes on. */
export async function* runAttempt(
  attempt: Attempt,
  signal: AbortSignal,
  questions: Questions,
): AsyncGenerator<Event, TurnResult> {
  const { store, clock, user, ready, lease } = attempt;
  const { agent, model, validator } = ready;
  const state = foldEvents(attempt.events);
  const tools = { clientTools: attempt.clientTools, signal };
  const [history, { offered, notes }] = await Promise.all([readHistory(attempt), ready.offer(user, tools)]);
  const journal = createStoreJournal({
    store,
    user,
    lease,
    clock,
    toolOutputChars: agent.limits.tool_output_chars,
    alreadyWritten: 1,
  });
  return yield* runTurn(state, {
    agent,
    user,
    model,
    tools: offered,
    notes,
    history,
    journal,
    validator,
    clock,
    zone: ready.zones(user.timezone ?? agent.server.timezone),
    signal,
    questions,
    ...(attempt.log && { log: attempt.log }),
  });
}

/** Earlier messages, as many as the agent's limit lets through, without those of this turn. */
async function readHistory({ store, user, ready, lease }: Attempt): Promise<Message[]> {
  const conversation = await store.readConversation(user, lease.conversationId);
  const total = conversation?.message_count ?? 0;
  if (total <= 1) return [];
  const last = keptMessages(total, ready.agent.limits.history_messages);
  const messages = await store.readMessages(user, lease.conversationId, { last, exceptTurn: lease.turnId });
  return [...sinceSummary(messages)];
}
