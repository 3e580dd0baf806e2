import type { Message } from '../../schema/conversation/message.ts';

/** Whether this message is our own request for a summary; no user typed it. */
export function isSummaryRequest(message: Message): boolean {
  return message.role === 'user' && message.metadata.compacts === true;
}

/** The messages from the last complete summary on, or all. */
export function sinceSummary(messages: readonly Message[]): readonly Message[] {
  const start = messages.findLastIndex((message, index) => {
    const next = messages[index + 1];
    const isSummary = next?.role === 'assistant' && next.content.trim() !== '' && next.metadata.incomplete !== true;
    return isSummaryRequest(message) && isSummary;
  });
  return start === -1 ? messages : messages.slice(start);
}
