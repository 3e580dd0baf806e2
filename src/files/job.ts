import type { MimeType } from '../schema/file.ts';
import type { Conversion } from './conversion.ts';
import type { ConversionJob } from './run-conversion.ts';

/** What a reading process is told when it starts. */
export interface Job extends ConversionJob {
  mimeType: MimeType;
  /** It ends itself then, should nobody else do it. */
  lifeMs: number;
  /** It ends itself when it has used this much time. */
  jobMs: number;
  memoryBytes: number;
}

/** What it tells: pieces of text and progress as they come, then how it ended. */
export type Frame =
  | { text: string }
  | { progress: string }
  | { end: Conversion }
  /** For people. */
  | { refused: string }
  /** For the log. */
  | { failed: string };

/** The signal with which a job ends itself when its time is used up. */
export const LATE_SIGNAL = 'SIGALRM';
