import { DOCUMENT_FILLER, SPOKEN_FILLER } from '../../language/filler-words.ts';
import { stem } from '../../language/words.ts';

/** Words of courtesy and of talk about the talk. */
const TALK = new Set(
  (
    'hello hi hey thanks thank thx great good ok okay fine bye goodbye morning afternoon evening night help helpful ' +
    'helped cool nice perfect sorry welcome yes no yeah nope sure right wow awesome understood got again really ' +
    'question questions answer answers exactly agent assistant bot chat who you'
  ).split(' '),
);
const FEW_WORDS = 3;

function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !DOCUMENT_FILLER.has(word) && !SPOKEN_FILLER.has(word) && !TALK.has(word));
}

/**
 * The question to search for: the message, with the message before it if it says little by itself. Undefined for thanks
 * and greetings, which have nothing to search for.
 */
export function toQuestion(message: string, before: string | undefined): string | undefined {
  const own = contentWords(message).length;
  if (own >= FEW_WORDS) return message;
  if (own === 0 && !/[?]|^(?:and|what|how|why|when|where|which|who)\b/i.test(message.trim())) return undefined;
  const earlier = before !== undefined && contentWords(before).length > 0 ? before : undefined;
  if (earlier !== undefined && (own > 0 || message.split(/\s+/).length > 1)) return `${earlier}\n${message}`;
  return own > 0 ? message : undefined;
}

/** The stems of the words that say what a question is about. */
export function questionStems(question: string): string[] {
  const parts = contentWords(question).flatMap((word) => word.split(/[-'’]/));
  return [...new Set(parts.map(stem))];
}
