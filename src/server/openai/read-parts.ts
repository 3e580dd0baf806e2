import { AppError, CODES, type ErrorCode } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { TurnError } from '../../schema/conversation/turn.ts';
import type { HttpReply } from '../http/reply.ts';
import { turnInterrupted } from '../stream/write-events.ts';
import { createTurnParts, type TurnPart } from './turn-parts.ts';

/** The parts of a whole turn. Throws the error that the turn ended with. */
export async function readParts(turn: ChatTurn, reply: HttpReply): Promise<TurnPart[]> {
  const { turnId, conversationId, before, events, pausesAt } = turn;
  reply.request.facts.session_id = conversationId;
  reply.request.facts.turn_id = turnId;
  const leave = () => void events.return?.();
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  const reader = createTurnParts(turnId, conversationId);
  for (const event of before) reader.skip(event);
  const parts: TurnPart[] = [];
  for await (const event of events) {
    parts.push(...reader.parts(event));
    if (pausesAt?.(event)) break;
  }
  parts.push(...reader.cut(turnInterrupted));
  const failure = parts.find((part) => part.kind === 'failure');
  if (failure) throw toThrown(failure.error);
  return parts;
}

/** A stored turn may have a code that is no code of a request. */
function toThrown({ code, message }: TurnError): AppError {
  return new AppError(code in CODES ? (code as ErrorCode) : 'internal', { detail: message });
}
