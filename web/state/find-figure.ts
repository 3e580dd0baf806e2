import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import type { Conversation } from './conversation.ts';
import { answerOf, type Call } from './turn.ts';

export interface FoundFigure {
  check: NumberCheck;
  call?: Call;
}

/** The figure at `<message>.<start>` of the conversation. */
export function findFigure({ turns }: Conversation, at: string | undefined): FoundFigure | undefined {
  const cut = at?.lastIndexOf('.') ?? -1;
  if (!at || cut < 0) return undefined;
  const messageId = at.slice(0, cut);
  const start = Number(at.slice(cut + 1));
  const turn = Object.values(turns).find((one) => answerOf(one)?.id === messageId);
  const check = turn?.checks.find((one) => one.start === start);
  if (!turn || !check) return undefined;
  const call = check.call_id ? turn.calls[check.call_id] : undefined;
  return { check, ...(call && { call }) };
}
