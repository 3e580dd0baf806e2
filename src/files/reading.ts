import type { FileVerdict } from '../schema/file.ts';
import { type Conversion, count } from './conversion.ts';

/** What became of a file: the verdict in words, and the text that was read of it. */
export interface FileReading {
  verdict: FileVerdict['verdict'];
  detail: string;
  text: string;
}

/** How a reading process ended. */
export interface Outcome {
  text: string;
  end?: Conversion;
  /** Why there is no more than the text, in words that go on from the file's name. */
  problem?: string;
}

/** What was read before a problem is kept: a file is refused only when there is nothing. */
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
