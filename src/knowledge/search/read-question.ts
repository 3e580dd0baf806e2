import { SPOKEN_FILLER } from '../../language/filler-words.ts';
import { toTerms } from '../index/terms.ts';

/** A question, ready to be searched for. */
export interface Question {
  /** In order, each once. Empty for a text without content words, such as a greeting. */
  terms: readonly string[];
  /** The terms that say what it is about. */
  subject: readonly string[];
  /** Terms that must be neighbours: quoted phrases, and ids such as HR-12. */
  phrases: readonly (readonly string[])[];
}

const MAX_TERMS = 64;
const MAX_PHRASES = 8;

export function readQuestion(text: string): Question {
  const read = text.slice(0, MAX_CHARS);
  const terms = [...new Set(toTerms(read))].slice(0, MAX_TERMS);
  const subject = terms.filter((term) => !SPOKEN.has(term));
  return { terms, subject: subject.length > 0 ? subject : terms, phrases: findPhrases(read) };
}

const MAX_CHARS = 4_000;
const SPOKEN: ReadonlySet<string> = new Set([...SPOKEN_FILLER].flatMap(toTerms));

const QUOTED = /"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|`([^`\n]{2,200})`/g;
/** Letters and digits joined by marks: HR-12, max_tokens, v2.1.0, z.object, src/index.ts. */
const JOINED = /[\p{L}\p{N}]+(?:[-_.:/#][\p{L}\p{N}]+)+/gu;

function findPhrases(text: string): string[][] {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '');
  const joined = [...text.matchAll(JOINED)].map(([id]) => id);
  const phrases = [...new Set([...quoted, ...joined])].map(toTerms).filter((phrase) => phrase.length > 1);
  return phrases.slice(0, MAX_PHRASES);
}
