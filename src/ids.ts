import { randomUUID } from 'node:crypto';
import type { Ulid } from './schema/ids.ts';
import { newUlid } from './schema/new-ulid.ts';

/** New ids as a parameter, so that a test or a recorded run can choose them. */
export interface Ids {
  /** An id that sorts by its time: turns, conversations, messages, calls. */
  ulid(): Ulid;
  /** A random id: users, tasks, keys. */
  uuid(): string;
}

export const systemIds: Ids = { ulid: newUlid, uuid: () => randomUUID() };
