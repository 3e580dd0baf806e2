import * as z from 'zod';
import { Ulid } from './ids.ts';
import { AssistantMessage, type Message, SystemMessage, ToolMessage, UserMessage } from './message.ts';
import { TurnResult } from './turn.ts';

const { status, finish_reason, tokens_used, intent, intents, routing, sources, suggestions } = TurnResult.shape;
const { confidence, checks, partial_results, error_details, files, warning, execution_time_ms } = TurnResult.shape;

/** What an answer was given with: the part of a turn's result that is not in its messages. */
const AnswerFacts = z.object({
  status,
  finish_reason,
  /** Of the whole turn. */
  tokens_used,
  intent,
  intents,
  routing,
  sources,
  suggestions,
  confidence,
  checks,
  partial_results,
  error_details,
  files,
  warning,
  execution_time_ms,
});
type AnswerFacts = z.infer<typeof AnswerFacts>;

const ofTurn = { turn_id: Ulid };

/** A message as a conversation is read back; the answer of an ended turn carries what it was given with. */
export const HistoryMessage = z.discriminatedUnion('role', [
  z.object({ ...UserMessage.shape, ...ofTurn }),
  z.object({ ...AssistantMessage.shape, ...ofTurn, ...AnswerFacts.partial().shape }),
  z.object({ ...SystemMessage.shape, ...ofTurn }),
  z.object({ ...ToolMessage.shape, ...ofTurn }),
]);
export type HistoryMessage = z.infer<typeof HistoryMessage>;

/** A stored message with the turn that it belongs to, and that turn's result where the message is its answer. */
export interface TurnMessage {
  turnId: string;
  message: Message;
  result?: AnswerFacts;
}

export function toHistoryMessage({ turnId, message, result }: TurnMessage): HistoryMessage {
  const shown = { ...message, turn_id: turnId };
  return shown.role === 'assistant' && result ? { ...shown, ...AnswerFacts.parse(result) } : shown;
}
