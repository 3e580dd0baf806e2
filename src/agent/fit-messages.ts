import type { Message } from '../schema/conversation/message.ts';
import { CHARS_PER_TOKEN } from '../schema/conversation/token-usage.ts';
import { isObject } from '../schema/json.ts';

/** The start of a text usually describes the rest, so more of the start is kept. */
const HEAD_SHARE = 3 / 4;
/** No text is cut shorter than this: the note about the cut needs room too. */
const LEAST_CHARS = 200;

/** Approximates the provider's token count. */
export function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + charsOf(message), 0) / CHARS_PER_TOKEN);
}

function charsOf(message: Message): number {
  return message.content.length + fixedChars(message);
}

const fixed = new WeakMap<Message, number>();

/**
 * Characters besides the text: calls, and provider state that is sent back with them. Cached, as messages never change.
 */
function fixedChars(message: Message): number {
  if (message.role !== 'assistant' || !message.tool_calls) return 0;
  const known = fixed.get(message);
  if (known !== undefined) return known;
  const { model_state: state } = message.metadata;
  const chars = JSON.stringify(message.tool_calls).length + (isObject(state) ? JSON.stringify(state).length : 0);
  fixed.set(message, chars);
  return chars;
}

/** Cuts every text to `maxChars`. Texts that fit stay unchanged. */
export function cutLong(messages: readonly Message[], maxChars: number): Message[] {
  return messages.map((message) => {
    const content = cutMiddle(message.content, maxChars);
    return content === message.content ? message : { ...message, content };
  });
}

/** Cuts the longest texts until all messages together fit. Short texts stay whole. */
export function cutToFit(messages: readonly Message[], maxTokens: number): Message[] {
  if (estimateTokens(messages) <= maxTokens) return [...messages];
  const other = messages.reduce((sum, message) => sum + fixedChars(message), 0);
  const lengths = messages.map((message) => message.content.length).sort((a, b) => a - b);
  return cutLong(messages, evenShare(lengths, maxTokens * CHARS_PER_TOKEN - other));
}

/** The largest length per message for which the sum fits into `room`. `lengths` must ascend. */
function evenShare(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function cutMiddle(text: string, maxChars: number): string {
  const limit = Math.max(LEAST_CHARS, maxChars);
  if (text.length <= limit) return text;
  const note = `\n[${text.length - limit} characters or more are left out here]\n`;
  const kept = limit - note.length;
  const head = Math.floor(kept * HEAD_SHARE);
  return `${text.slice(0, head)}${note}${text.slice(text.length - (kept - head))}`.toWellFormed();
}
