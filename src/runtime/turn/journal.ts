import type { Journal } from '../../agent/journal.ts';
import { toolMessage } from '../../agent/tool-message.ts';
import type { Clock } from '../../clock.ts';
import { type Event, type EventBody, isDelta, isPassing } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { formatPosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { Store, StoredResult, TurnLease, TurnWrite } from '../../store/store.ts';
import { jsonOf } from '../../tools/bound-output.ts';
import { cutText } from '../../tools/sanitize.ts';
import { auditOf } from '../audit.ts';

export interface StoreJournalOptions {
  store: Store;
  user: User;
  lease: TurnLease;
  clock: Clock;
  /** Maximum size of a tool message. */
  toolOutputChars: number;
  /** Events of this attempt that were written together with the lease. */
  alreadyWritten: number;
}

export interface StoreJournal extends Journal {
  /** Commits events together with their attachments. */
  commitWith(more: Pick<TurnWrite, 'attachments'>, ...bodies: EventBody[]): Promise<Event[]>;
}

/** The journal of one attempt at one turn, over a store: structural events are written at once, text in segments. */
export function createStoreJournal(options: StoreJournalOptions): StoreJournal {
  const { store, user, lease, clock, toolOutputChars } = options;
  let seq = options.alreadyWritten;
  /** The newest number that a reader may hold; numbers of a write in progress are emitted later. */
  let toldSeq = seq;
  let offset = 0;
  let passed = 0;
  let segments: Event[] = [];
  let cancelTimer: (() => void) | undefined;
  /** The segment write in progress. */
  let underWay: Promise<void> = Promise.resolve();

  const place = (body: EventBody, number: number): Event => ({
    ...body,
    id: formatPosition({ turn: lease.turnId, attempt: lease.attempt, seq: number, offset }),
    at: clock.date().toISOString(),
  });
  const placePassing = (body: EventBody): Event => {
    const event = place(body, toldSeq);
    return { ...event, id: `${event.id}+${++passed}` };
  };
  const takeSegments = (): Event[] => {
    cancelTimer?.();
    cancelTimer = undefined;
    return segments.splice(0);
  };
  const writeSegments = () => {
    const events = takeSegments();
    // Events that the store did not accept are kept for the next write, so that no gap appears before later events.
    underWay = store.writeTurn(user, lease, { events }).catch(() => {
      segments = [...events, ...segments];
    });
  };

  const commitWith: StoreJournal['commitWith'] = async (more, ...bodies) => {
    const remembered = await rememberCalls(options, bodies);
    await underWay;
    const before = takeSegments();
    const events = bodies.map((body) => place(body, ++seq));
    const last = seq;
    const write = toWrite({ before, events, user, lease, toolOutputChars });
    await store.writeTurn(user, lease, { ...write, ...remembered, ...more });
    toldSeq = Math.max(toldSeq, last);
    return events;
  };

  return {
    commitWith,
    commit: (...bodies) => commitWith({}, ...bodies),
    note(body) {
      if (isPassing(body)) return placePassing(body);
      if (isDelta(body)) offset += body.text.length;
      else seq++;
      const event = place(body, seq);
      toldSeq = seq;
      segments = appendDelta(segments, event);
      cancelTimer ??= clock.after(store.segmentMs, writeSegments);
      return event;
    },
  };
}

/** Adds a delta to a list of events and joins it with the previous delta of the same text. Changes the list. */
export function appendDelta(events: Event[], event: Event): Event[] {
  const last = events.at(-1);
  const isSame =
    last && isDelta(last) && isDelta(event) && last.type === event.type && last.message_id === event.message_id;
  if (isSame) events[events.length - 1] = { ...event, text: last.text + event.text };
  else events.push(event);
  return events;
}

interface WriteOptions {
  before: Event[];
  events: Event[];
  user: User;
  lease: TurnLease;
  toolOutputChars: number;
}

function toWrite({ before, events, user, lease, toolOutputChars }: WriteOptions): TurnWrite {
  const messages = messagesOf(events, toolOutputChars);
  const audit = events.flatMap((event) => auditOf(event, user, lease));
  const status = events.map(statusOf).findLast((value) => value !== undefined);
  const end = events.find((event) => event.type === 'turn-end');
  return {
    events: [...before, ...events],
    ...(messages.length > 0 && { messages }),
    ...(audit.length > 0 && { audit }),
    ...(status && { status }),
    ...(end && { result: storedResult(end.result, toolOutputChars) }),
  };
}

/** The messages that these events add to the conversation. */
export function messagesOf(events: readonly Event[], toolOutputChars: number): Message[] {
  return events.flatMap((event) => messageOf(event, toolOutputChars));
}

function messageOf(event: Event, toolOutputChars: number): Message[] {
  if (event.type === 'step-end') return event.message ? [event.message] : [];
  if (event.type === 'tool-call-end') return [toolMessage(event.call, event.message_id, toolOutputChars)];
  return [];
}

function statusOf(event: Event): TurnWrite['status'] {
  // A turn that asks is still running: after a crash its calls are unknown, not waiting.
  if (event.type === 'turn-wait') return event.asking ? undefined : 'waiting';
  if (event.type === 'turn-interrupt') return 'interrupted';
  return event.type === 'turn-end' ? event.result.status : undefined;
}

/** A turn's result as it is stored: without its messages, and each call's result cut to `maxChars`. */
export function storedResult({ messages: _, ...result }: TurnResult, maxChars: number): StoredResult {
  const tool_calls = result.tool_calls.map((call) =>
    call.result === undefined ? call : { ...call, result: cutResult(call.result, maxChars) },
  );
  return { ...result, tool_calls };
}

/** A table keeps its first rows that fit, because footnotes refer to rows by number. */
function cutResult(result: Json, maxChars: number): Json {
  const text = typeof result === 'string' ? result : jsonOf(result);
  if (text.length <= maxChars) return result;
  return (isObject(result) && cutRows(result, maxChars)) || cutText(text, maxChars);
}

function cutRows(result: JsonObject, maxChars: number): JsonObject | undefined {
  if (!Array.isArray(result.rows)) return undefined;
  const { rows, ...rest } = result;
  let room = maxChars - JSON.stringify({ ...rest, rows: [], rows_left_out: rows.length }).length;
  if (room < 0) return undefined;
  const end = rows.findIndex((row) => {
    room -= JSON.stringify(row).length + 1;
    return room < 0;
  });
  const kept = rows.slice(0, end);
  return { ...rest, rows: kept, rows_left_out: rows.length - kept.length };
}

interface Memory {
  store: Store;
  user: User;
  lease: TurnLease;
}

/**
 * Metadata for the conversation from the calls of a turn that ends or waits: the domains that returned data, in order
 * of first use, and the spaces' conversation ids. Only calls of this journal count, never the text of a message.
 */
async function rememberCalls(
  { store, user, lease }: Memory,
  bodies: readonly EventBody[],
): Promise<Pick<TurnWrite, 'metadata'>> {
  const calls = bodies.flatMap(callsOf).filter(({ state }) => state === 'completed');
  const domains = calls.flatMap(({ domain }) => domain ?? []);
  if (domains.length === 0) return {};
  const known: JsonObject = (await store.readConversation(user, lease.conversationId))?.metadata ?? {};
  const before = Array.isArray(known.domains_accessed) ? known.domains_accessed : [];
  const spaces: JsonObject = isObject(known.spaces) ? { ...known.spaces } : {};
  const { spaceConversationOf } = await import('../../routing/ask/space-conversations.ts');
  for (const call of calls) {
    const id = spaceConversationOf(call);
    if (id !== undefined) spaces[call.name] = id;
  }
  return {
    metadata: {
      domains_accessed: [...new Set([...before, ...domains])],
      ...(Object.keys(spaces).length > 0 && { spaces }),
    },
  };
}

function callsOf(body: EventBody): readonly ToolCall[] {
  return body.type === 'turn-end' || body.type === 'turn-wait' ? body.result.tool_calls : [];
}
