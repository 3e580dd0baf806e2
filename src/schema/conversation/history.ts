import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { AssistantMessage, type Message, SystemMessage, ToolMessage, UserMessage } from './message.ts';
import { Feedback, TurnResult } from './turn.ts';

/** The parts of a turn's result that are not in its messages; tokens are those of the whole turn. */
const AnswerFacts = z.lazy(() =>
  z.object(TurnResult.unwrap().shape).omit({
    ...{ content: true, iterations: true, tool_calls: true, delegations: true, asked: true },
    ...{ error: true, cause: true, question: true, messages: true },
  }),
);
type AnswerFacts = z.infer<typeof AnswerFacts>;

const ofTurn = { turn_id: Ulid };

/** A message of a stored conversation. The answer of an ended turn also holds its facts. */
export const HistoryMessage = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.object({ ...UserMessage.unwrap().shape, ...ofTurn }),
    z.object({
      ...AssistantMessage.unwrap().shape,
      ...ofTurn,
      ...AnswerFacts.unwrap().partial().shape,
      feedback: Feedback.optional(),
    }),
    z.object({ ...SystemMessage.unwrap().shape, ...ofTurn }),
    z.object({ ...ToolMessage.unwrap().shape, ...ofTurn }),
  ]),
);
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
  const { agent } = message.metadata;
  const facts = { ...(result && AnswerFacts.parse(result)), ...(typeof agent === 'string' && { agent }) };
  return { ...shown, ...facts, ...(feedback && { feedback }) };
}
