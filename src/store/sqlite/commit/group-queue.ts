import type { Operation } from '../operations/run-operation.ts';

/** Collects items into groups. */
export interface GroupQueue<T> {
  add(item: T): void;
  /** Resolves when everything added before is done. */
  drain(): Promise<void>;
}

export interface GroupQueueOptions<T> {
  /** Runs one group after the other; must never reject. */
  run(group: readonly T[]): Promise<void>;
  weigh(item: T): number;
  /** A group is closed at this weight, so that none takes long. */
  maxWeight: number;
}

/** A single item runs at once; items that arrive while a group runs form the next group. */
export function createGroupQueue<T>({ run, weigh, maxWeight }: GroupQueueOptions<T>): GroupQueue<T> {
  const queue: T[] = [];
  let running: Promise<void> | undefined;

  function takeGroup(): T[] {
    let weight = 0;
    const end = queue.findIndex((item) => {
      // Items of later groups are not weighed yet, because weighing may cost memory.
      if (weight >= maxWeight) return true;
      weight += weigh(item);
      return false;
    });
    return queue.splice(0, end === -1 ? queue.length : end);
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) await run(takeGroup());
    running = undefined;
  }

  return {
    add(item) {
      queue.push(item);
      // Items added in the same tick belong to the first group.
      running ??= Promise.resolve().then(runAll);
    },
    drain: async () => running,
  };
}

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

/** Runs tasks one after the other in order of arrival; a failed task does not affect the next. */
export function createSerial(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
