import { withoutModelState } from '../models/kept-metadata.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { TurnMessage } from '../schema/conversation/history.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { ToolCall, ToolCallRequest } from '../schema/conversation/tool-call.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import { cleanJson } from '../tools/sanitize.ts';
import { type EventStream, mapEvents, Viewer } from './live/viewer.ts';
import type { ChatTurn } from './turn/turn.ts';

/**
 * Every message and event that the runtime passes to a front goes through this file.
 * Call arguments are shown without control characters; the store, the tool and the audit keep the originals. An
 * approval keeps them all: people decide on the exact arguments, and the front makes hidden characters visible.
 * A rejected reply and a draft stay in the journal. The cause of a failure is for developers, who read it by `describeTurns`.
 * State that a provider wants back (ids, signatures, hidden thoughts) stays in the store and is sent to the model only.
 */
export function shownMessage<Kind extends Message>(message: Kind): Kind {
  if (message.role !== 'assistant') return message;
  const metadata = withoutModelState(message.metadata);
  if (metadata === message.metadata && !message.tool_calls) return message;
  const calls = message.tool_calls && { tool_calls: message.tool_calls.map(shownCall) };
  return { ...message, metadata, ...calls };
}

export function shownCall<Call extends ToolCallRequest & Pick<ToolCall, 'sent_arguments'>>(call: Call): Call {
  const sent = call.sent_arguments && { sent_arguments: shownArguments(call.sent_arguments) };
  return { ...call, arguments: shownArguments(call.arguments), ...sent };
}

function shownArguments(given: JsonObject): JsonObject {
  return cleanJson(given) as JsonObject; // a cleaned object stays an object
}

export function shownHistory(entry: TurnMessage): TurnMessage {
  return { ...entry, message: shownMessage(entry.message) };
}

export function shownEvent(event: Event): Event {
  switch (event.type) {
    case 'step-end': {
      const { rejected: _unseen, draft: _held, ...rest } = event;
      return event.message ? { ...rest, message: shownMessage(event.message) } : rest;
    }
    case 'tool-call-start':
      return { ...event, call: shownCall(event.call) };
    case 'tool-call-end': {
      const { answer: _unsent, ...rest } = event;
      return { ...rest, call: shownCall(event.call) };
    }
    case 'tool-call-run':
      return { ...event, sent_arguments: shownArguments(event.sent_arguments) };
    case 'turn-start':
      return event.already_ran ? { ...event, already_ran: event.already_ran.map(shownCall) } : event;
    case 'turn-wait':
    case 'turn-end':
      return { ...event, result: shownResult(event.result) };
    default:
      return event;
  }
}

export function shownResult({ cause: _cause, ...result }: TurnResult): TurnResult {
  return { ...result, messages: result.messages.map(shownMessage), tool_calls: result.tool_calls.map(shownCall) };
}

/** An opened turn, filtered for a front. */
export function shownTurn<Turn extends ChatTurn & { rest?: readonly Event[] }>(turn: Turn): Turn {
  return {
    ...turn,
    before: turn.before.map(shownEvent),
    events: shownStream(turn.events),
    ...(turn.rest && { rest: turn.rest.map(shownEvent) }),
  };
}

function shownStream(events: EventStream): EventStream {
  return events instanceof Viewer ? events.through(shownEvent) : mapEvents(events, shownEvent);
}
