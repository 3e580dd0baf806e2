import { withoutModelState } from '../models/kept-metadata.ts';
import type { Event } from '../schema/event.ts';
import type { TurnMessage } from '../schema/history.ts';
import type { Message } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { ChatTurn } from './continue-turn.ts';
import type { EventStream } from './viewer.ts';

/**
 * The state that a provider wants back (ids, signatures, hidden thoughts) stays in the store and goes to the model only.
 * Every message and event that the runtime hands to a front passes through this file.
 */
export function shownMessage<Kind extends Message>(message: Kind): Kind {
  if (message.role !== 'assistant') return message;
  const metadata = withoutModelState(message.metadata);
  return metadata === message.metadata ? message : { ...message, metadata };
}

export function shownHistory(entry: TurnMessage): TurnMessage {
  return { ...entry, message: shownMessage(entry.message) };
}

export function shownEvent(event: Event): Event {
  switch (event.type) {
    case 'step-end':
      return event.message ? { ...event, message: shownMessage(event.message) } : event;
    case 'turn-wait':
    case 'turn-end':
      return { ...event, result: shownResult(event.result) };
    default:
      return event;
  }
}

export function shownResult(result: TurnResult): TurnResult {
  return { ...result, messages: result.messages.map(shownMessage) };
}

/** A turn as it was opened, for a front. */
export function shownTurn<Turn extends ChatTurn & { rest?: readonly Event[] }>(turn: Turn): Turn {
  return {
    ...turn,
    before: turn.before.map(shownEvent),
    events: shownStream(turn.events),
    ...(turn.rest && { rest: turn.rest.map(shownEvent) }),
  };
}

function shownStream(events: EventStream): EventStream {
  return {
    async next() {
      const next = await events.next();
      return next.done ? next : { done: false, value: shownEvent(next.value) };
    },
    return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
