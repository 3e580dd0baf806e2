import type { Operation } from '../operations/run-operation.ts';

const PAGE_CHARS = 4_096;
/** Pages of tables and indexes that nearly every group changes; measured with groups of 1 to 100 operations. */
const GROUP_PAGES = 9;

/** A rough value for a conversation of some thousand events; the actual number is not counted. */
const DELETED_PAGES = 200;

/** Estimates the pages that an operation adds to the log. */
export function estimatePages({ name, input }: Operation): number {
  if (name === 'deleteConversation') return DELETED_PAGES;
  if (name === 'addConversation') {
    const rows = input.turns.flatMap(({ messages, attachments }) => [
      ...messages,
      ...attachments.map(({ text }) => ({ body: text })),
    ]);
    return 1 + Math.floor(rows.reduce((sum, { body }) => sum + body.length, 0) / PAGE_CHARS);
  }
  if (!('write' in input)) return 1;
  const { attachments, events, messages } = input.write;
  const chars = [...events, ...messages].reduce((sum, { body }) => sum + body.length, 0);
  return 1 + Math.floor(attachments.reduce((sum, { text }) => sum + text.length, chars) / PAGE_CHARS);
}

export function estimateGroupPages(operations: readonly Operation[]): number {
  return operations.reduce((sum, operation) => sum + estimatePages(operation), GROUP_PAGES);
}
