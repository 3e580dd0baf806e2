import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { Feedback } from './feedback.ts';
import { AssistantMessage, type Message, SystemMessage, ToolMessage, UserMessage } from './message.ts';
import { TurnResult } from './turn.ts';

const { status, finish_reason, tokens_used, intent, intents, routing, sources, suggestions } = TurnResult.shape;
const { confidence, checks, citations, partial_results, error_details, files, warning, execution_time_ms } =
  TurnResult.shape;

/** The parts of a turn's result that are not in its messages. */
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
  citations,
  partial_results,
  error_details,
  files,
  warning,
  execution_time_ms,
});
type AnswerFacts = z.infer<typeof AnswerFacts>;

const ofTurn = { turn_id: Ulid };

/** A message of a stored conversation. The answer of an ended turn also holds its facts. */
export const HistoryMessage = z.discriminatedUnion('role', [
  z.object({ ...UserMessage.shape, ...ofTurn }),
  z.object({ ...AssistantMessage.shape, ...ofTurn, ...AnswerFacts.partial().shape, feedback: Feedback.optional() }),
  z.object({ ...SystemMessage.shape, ...ofTurn }),
  z.object({ ...ToolMessage.shape, ...ofTurn }),
]);
export type HistoryMessage = z.infer<typeof HistoryMessage>;

/** A stored message with its turn's id. The answer also has the turn's result. */
export interface TurnMessage {
  turnId: string;
  message: Message;
  result?: AnswerFacts;
  feedback?: Feedback;
}

export function toHistoryMessage({ turnId, message, result, feedback }: TurnMessage): HistoryMessage {
  const shown = { ...message, turn_id: turnId };
  if (shown.role !== 'assistant') return shown;
  return { ...shown, ...(result && AnswerFacts.parse(result)), ...(feedback && { feedback }) };
}
