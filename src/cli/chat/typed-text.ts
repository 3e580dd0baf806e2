import { isSummaryRequest } from '../../runtime/summary.ts';
import type { Message } from '../../schema/message.ts';
import { sanitizeText } from '../../tools/sanitize.ts';

/** A message as its author knows it: a request for a summary was typed as a command. */
export function typedText(message: Message): string {
  return isSummaryRequest(message) ? '/compact' : sanitizeText(message.content);
}
