import type { JsonObject } from '../../schema/json.ts';
import { cutText, sanitizeText } from '../sanitize.ts';

export const MAX_WORDS = 500;

/** The message of an error that its author marks with `expose: true`. Others go to the log only. */
export function exposedWords(error: unknown): string | undefined {
  const isMeant = error instanceof Error && 'expose' in error && error.expose === true;
  return isMeant ? withoutPlaces(error.message) : undefined;
}

/** The first line, without paths and file addresses. */
export function withoutPlaces(text: string): string {
  const line = sanitizeText(text).trim().split('\n')[0] ?? '';
  return cutText(line.replace(/(?:file:\/\/|(?<![\w:/])\/|[A-Za-z]:\\)[^\s'",)]+/g, 'a file'), MAX_WORDS);
}

/** Messages between the main thread and the thread of an agent's functions. All are plain data. */
export interface WorkerFunction {
  name: string;
  path: string;
  exportName: string;
}

export type ToWorker =
  | { type: 'call'; id: number; callId: string; name: string; args: JsonObject; user: object }
  | { type: 'abort'; id: number };

export type FromWorker =
  /** `log` helps the author to find the fault; `headline` is the kind and message of an error. */
  | { type: 'loaded'; name: string; fault?: { message: string; headline: string; log: string } }
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'progress'; id: number; text: string }
  /** The reply to `abort`: the thread is not blocked. */
  | { type: 'received'; id: number }
  /** `json` is cut if `length` is larger. */
  | { type: 'returned'; id: number; json: string; length: number }
  /** `words` may be shown to the user. */
  | { type: 'threw'; id: number; words?: string; headline: string; log: string };
