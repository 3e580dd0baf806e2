import { extname } from 'node:path';
import type { MimeType } from '../../schema/file.ts';
import type { Conversion, ConversionJob } from './conversion.ts';

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

/** The program that converts a file, next to this code: a source file in a checkout, a bundle in the package. */
export function childFile(): URL {
  return new URL(`./convert-child${extname(import.meta.url)}`, import.meta.url);
}
