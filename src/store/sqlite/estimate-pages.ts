import type { Operation } from './operations/run-operation.ts';

const PAGE_CHARS = 4_096;
/** Rows, the indexes over them, and the pages that lead there. */
const SMALL_PAGES = 10;

/** About how many pages of the log an operation takes, which is also about how long it takes. */
export function estimatePages({ input }: Operation): number {
  if (!('write' in input)) return SMALL_PAGES;
  const { attachments, events, messages } = input.write;
  const chars = [...events, ...messages].reduce((sum, { body }) => sum + body.length, 0);
  return SMALL_PAGES + Math.ceil(attachments.reduce((sum, { text }) => sum + text.length, chars) / PAGE_CHARS);
}
