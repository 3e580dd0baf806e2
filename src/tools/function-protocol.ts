import type { JsonObject } from '../schema/json.ts';

/** What the main thread and the thread of an agent's functions say to each other; all of it is plain data. */
export interface WorkerFunction {
  name: string;
  path: string;
  exportName: string;
}

export type ToWorker =
  | { type: 'call'; id: number; callId: string; name: string; args: JsonObject; user: object }
  | { type: 'abort'; id: number };

export type FromWorker =
  /** `log` is what the author needs to find the fault, `headline` the kind and message of an error. */
  | { type: 'loaded'; name: string; fault?: { message: string; headline: string; log: string } }
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'progress'; id: number; text: string }
  /** The answer to `abort`: the thread is not blocked. */
  | { type: 'heard'; id: number }
  /** `json` is cut when `length` is more. */
  | { type: 'returned'; id: number; json: string; length: number }
  /** `words` are meant for the reader. */
  | { type: 'threw'; id: number; words?: string; headline: string; log: string };
