import type { MimeType } from '../../schema/file.ts';
import type { Conversion } from './conversion.ts';
import type { ConversionJob } from './run-conversion.ts';

/** The input of a reading process. */
export interface Job extends ConversionJob {
  mimeType: MimeType;
  /** The process ends itself after this time, in case nothing else does. */
  lifeMs: number;
  /** The process ends itself after this much used time. */
  jobMs: number;
  memoryBytes: number;
}

/** The output of the process: text and progress as they come, then its end. */
export type JobMessage =
  | { text: string }
  | { progress: string }
  | { end: Conversion }
  /** A message for people. */
  | { refused: string }
  /** A message for the log. */
  | { failed: string };

/** The signal with which a job ends itself when its time is used up. */
export const LATE_SIGNAL = 'SIGALRM';
