import { toolMessage } from '../agent/tool-message.ts';
import { foldEvents } from '../agent/turn-state.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Event, EventBody } from '../schema/event.ts';
import { newUlid } from '../schema/ids.ts';
import { formatPosition, parsePosition } from '../schema/position.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import type { User } from '../schema/user.ts';
import type { Store, TurnLease, TurnWrite } from '../store/store.ts';
import { auditOf } from './audit.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const TOOL_MESSAGE_CHARS = 40_000;

/**
 * Turns of ours whose journal failed: they run no more, but the store still says that they do, and would let nothing
 * else into their conversations. Each is written as interrupted as soon as the store takes it.
 */
export interface Abandoned {
  add(user: User, lease: TurnLease): void;
  /** Tries this one now; true when it no longer stands in the way. */
  settle(turnId: string): Promise<boolean>;
  /** Turns that the store has not yet taken. */
  readonly size: number;
  /** Tries once more; what is left is found by the next process. */
  stop(): Promise<void>;
}

interface Entry {
  user: User;
  lease: TurnLease;
  cancelTimer: () => void;
}

export function createAbandoned({ store, clock }: { store: Store; clock: Clock }): Abandoned {
  const entries = new Map<string, Entry>();
  let isStopped = false;

  const settle = async (turnId: string): Promise<boolean> => {
    const entry = entries.get(turnId);
    if (!entry) return false;
    try {
      await interruptTurn(store, clock, entry);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'turn_taken_over')) return false;
    }
    entry.cancelTimer();
    entries.delete(turnId);
    return true;
  };
  const tryLater = (entry: Entry, pauseMs: number) => {
    entry.cancelTimer = clock.after(pauseMs, async () => {
      const isSettled = await settle(entry.lease.turnId);
      if (!isSettled && entries.has(entry.lease.turnId)) tryLater(entry, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    });
  };

  return {
    add(user, lease) {
      if (isStopped) return;
      const entry: Entry = { user, lease, cancelTimer: () => {} };
      entries.set(lease.turnId, entry);
      tryLater(entry, FIRST_PAUSE_MS);
    },
    settle,
    get size() {
      return entries.size;
    },
    async stop() {
      isStopped = true;
      for (const entry of entries.values()) entry.cancelTimer();
      await Promise.all([...entries.keys()].map(settle));
    },
  };
}

/** What recovery does for a dead process: running calls become unknown, the turn can be continued. */
async function interruptTurn(store: Store, clock: Clock, { user, lease }: Entry): Promise<void> {
  const turn = await store.readTurn(user, lease.turnId);
  if (turn?.status !== 'running' || turn.attempt !== lease.attempt) return;
  const stored = await store.readEvents(user, lease.turnId);
  const state = foldEvents(stored);
  // A call that asks a question is running too, although it reads as waiting.
  const running = state.calls.filter(
    ({ id, state: now }) => now === 'running' || (now === 'waiting' && state.waits.get(id)?.kind === 'input'),
  );
  const bodies: EventBody[] = [
    ...running.map((call) => ({ type: 'tool-call-end' as const, call: toUnknown(call), message_id: newUlid() })),
    { type: 'turn-interrupt' },
  ];
  const events = placeAfter(stored, bodies, lease, clock.date().toISOString());
  await store.writeTurn(user, lease, toWrite(events, user, lease));
}

function toUnknown(call: ToolCall): ToolCall {
  const message = `${call.name} was running when the store failed. Nobody knows whether it took effect; look before you do it again.`;
  return { ...call, state: 'unknown', error: { error_type: 'ToolInvocationError', message } };
}

function placeAfter(stored: readonly Event[], bodies: EventBody[], lease: TurnLease, at: string): Event[] {
  const places = stored.map((event) => parsePosition(event.id)).filter(({ attempt }) => attempt === lease.attempt);
  // One seq is left free: the start of a step may have been told and not yet written.
  const seq = Math.max(0, ...places.map((place) => place.seq)) + 2;
  const offset = Math.max(0, ...places.map((place) => place.offset));
  return bodies.map((body, index) => ({
    ...body,
    id: formatPosition({ turn: lease.turnId, attempt: lease.attempt, seq: seq + index, offset }),
    at,
  }));
}

function toWrite(events: Event[], user: User, lease: TurnLease): TurnWrite {
  const messages = events.flatMap((event) =>
    event.type === 'tool-call-end' ? [toolMessage(event.call, event.message_id, TOOL_MESSAGE_CHARS)] : [],
  );
  const audit = events.flatMap((event) => auditOf(event, user, lease));
  return { events, messages, audit, status: 'interrupted' };
}
