import type { FileVerdict } from '../schema/file.ts';
import { type Conversion, count } from './job/conversion.ts';

/** The reason why a file, or the rest of it, is not read; the message is for people. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}

/** The outcome for a file: the verdict as a phrase, and the text read from it. */
export interface FileReading {
  verdict: FileVerdict['verdict'];
  detail: string;
  text: string;
}

/** The end of a reading process. */
export interface Outcome {
  text: string;
  end?: Conversion;
  /** The reason why there is no more text, as a phrase that follows the file's name. */
  problem?: string;
}

/** Text read before a problem is kept: a file is refused only if there is none. */
export function toReading({ text, end, problem }: Outcome): FileReading {
  const characters = count(text.length, 'character');
  if (problem !== undefined) {
    if (text === '') return { verdict: 'refused', detail: problem, text };
    return { verdict: 'partly', detail: `only the first ${characters} were read: it ${problem}`, text };
  }
  const size = [end?.size, text.trim() === '' ? 'no text was found' : characters].filter(Boolean).join(', ');
  const left = end?.left ?? [];
  if (left.length === 0) return { verdict: 'read', detail: size, text };
  if (text.trim() === '') return { verdict: 'refused', detail: shorten(left).join('; '), text: '' };
  return { verdict: 'partly', detail: `${size}; ${shorten(left).join('; ')}`, text };
}

const MAX_NOTES = 5;

function shorten(left: readonly string[]): string[] {
  if (left.length <= MAX_NOTES) return [...left];
  return [...left.slice(0, MAX_NOTES), `and ${left.length - MAX_NOTES} more`];
}
