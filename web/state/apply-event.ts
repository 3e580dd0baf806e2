import { type BaseEvent, EventType, type RunStartedEvent } from '@ag-ui/client';
import { isLater, parseEventId } from '../reader/event-id.ts';
import { applyToTurn } from './apply-to-turn.ts';
import { type Conversation, leavePath, putTurn, removeTurn } from './conversation.ts';
import { createTurn, type Question, type Turn } from './turn.ts';

/** Applies one frame of the conversation's stream. A frame that was applied before changes nothing. */
export function applyEvent(conversation: Conversation, event: BaseEvent): Conversation {
  const id = parseEventId(frameIdOf(event));
  if (!id) return conversation;
  const before = conversation.turns[id.turnId];
  // After a crash a snapshot takes back text that the page has and the store has not: its place is an earlier one.
  const isReset = event.type === EventType.MESSAGES_SNAPSHOT;
  if (id.isPassing) return before ? putTurn(conversation, applyToTurn(before, event)) : conversation;
  if (!isReset && !isLater(id.place, before?.place)) return conversation;
  const turn = applyToTurn(before ?? createTurn(id.turnId, 'running'), event);
  const placed = { ...turn, place: id.place };
  // The enum of AG-UI discriminates its events, but BaseEvent is no union of them.
  if (event.type === EventType.RUN_STARTED) return startRun(conversation, placed, event as RunStartedEvent);
  return putTurn(conversation, placed);
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
