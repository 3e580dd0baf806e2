import type { Citation } from '../../src/schema/conversation/turn.ts';
import type { Conversation } from './conversation.ts';
import { answerOf } from './turn.ts';

/** The citation at `<message>.<id>` of the conversation. */
export function findCitation({ turns }: Conversation, at: string | undefined): Citation | undefined {
  const cut = at?.lastIndexOf('.') ?? -1;
  if (!at || cut < 0) return undefined;
  const turn = Object.values(turns).find((one) => answerOf(one)?.id === at.slice(0, cut));
  return turn?.facts.citations?.find(({ id }) => id === at.slice(cut + 1));
}
