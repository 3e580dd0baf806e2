import { isSummaryRequest } from '../../runtime/turn/summary.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { sanitizeText } from '../../tools/sanitize.ts';

/** A message as the person typed it: a summary request was typed as a command. */
export function typedText(message: Message): string {
  return isSummaryRequest(message) ? '/compact' : sanitizeText(message.content);
}
