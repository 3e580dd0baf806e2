import { type BaseEvent, EventType, type RunStartedEvent } from '@ag-ui/client';
import { applyToTurn } from './apply-to-turn.ts';
import { type Conversation, leavePath, putTurn, removeTurn } from './conversation.ts';
import { createTurn, type Question, type Turn } from './turn.ts';

const ENDED: ReadonlySet<Turn['status']> = new Set(['completed', 'max_iterations_reached', 'cancelled', 'error']);

/** Applies one frame of the conversation's stream. A frame that was applied before changes nothing. */
export function applyEvent(conversation: Conversation, event: BaseEvent): Conversation {
  const id = parseEventId(frameIdOf(event));
  if (!id) return conversation;
  const before = conversation.turns[id.turnId];
  // After a crash a snapshot takes back text that the page has and the store has not: its place is an earlier one.
  const isReset = event.type === EventType.MESSAGES_SNAPSHOT;
  if (id.isPassing) return before ? putTurn(conversation, applyToTurn(before, event)) : conversation;
  if (!isReset && !isLater(id.place, before?.place)) return conversation;
  // The store had the turn before its stream began, and an ended turn is whole there.
  if (before && !before.place && ENDED.has(before.status)) return conversation;
  const turn = applyToTurn(before?.place ? before : emptyTurn(id.turnId, before), event);
  const placed = { ...turn, place: id.place };
  // The enum of AG-UI discriminates its events, but BaseEvent is no union of them.
  if (event.type === EventType.RUN_STARTED) return startRun(conversation, placed, event as RunStartedEvent);
  return putTurn(conversation, placed);
}

/** The stream of a turn begins with its first frame, so that parts from the store would be there twice. */
function emptyTurn(id: string, stored: Turn | undefined): Turn {
  const { question, startedAt, replaces, isActive = true } = stored ?? {};
  return {
    ...createTurn(id, 'running'),
    isActive,
    ...(question && { question }),
    ...(startedAt && { startedAt }),
    ...(replaces && { replaces }),
  };
}

function frameIdOf({ rawEvent }: BaseEvent): string {
  return typeof rawEvent?.id === 'string' ? rawEvent.id : '';
}

/** The question may already be on screen: it was drawn when it was sent, before the server had a turn for it. */
function startRun(conversation: Conversation, turn: Turn, { input }: RunStartedEvent): Conversation {
  const question = turn.question ?? questionOf(input);
  const pendingId = question && pendingTurnId(question.id);
  const pending = pendingId ? conversation.turns[pendingId] : undefined;
  const started = { ...turn, ...((pending?.question ?? question) ? { question: pending?.question ?? question } : {}) };
  const cleared = pendingId && pending ? removeTurn(conversation, pendingId) : conversation;
  const left = question ? leavePath(cleared, question.id, turn.id) : cleared;
  return putTurn(left, started as Turn);
}

function questionOf(input: RunStartedEvent['input']): Question | undefined {
  const message = input?.messages.findLast(({ role }) => role === 'user');
  if (!message || typeof message.content !== 'string') return undefined;
  return { id: message.id, text: message.content, files: [] };
}

/** Id of the turn that stands for a message which the server has not accepted yet. */
export function pendingTurnId(messageId: string): string {
  return `pending:${messageId}`;
}

/** The place of a frame: `<turn>.<attempt>.<seq>.<text offset>`, and the number of frames after that event. */
export interface EventId {
  turnId: string;
  place: readonly number[];
  /** A retry or a progress: it has the place of the frame before it, plus `+` and its number, and is never sent again. */
  isPassing?: true;
}

export function parseEventId(id: string): EventId | undefined {
  const [turnId, ...rest] = id.replace(/\+\d+/, '').split('.');
  const place = rest.map(Number);
  if (!turnId || place.length < 3 || !place.every(Number.isSafeInteger)) return undefined;
  return { turnId, place, ...(/\+\d+$/.test(id) && { isPassing: true }) };
}

/** A frame that is not later than one which was already applied must not be applied again. */
export function isLater(next: readonly number[], applied: readonly number[] | undefined): boolean {
  if (!applied) return true;
  const length = Math.max(next.length, applied.length);
  for (let index = 0; index < length; index++) {
    const difference = (next[index] ?? 0) - (applied[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
