import { DOCUMENT_FILLER, SPOKEN_FILLER } from '../../language/filler-words.ts';
import { stem } from '../../language/words.ts';
import { findNames, TALK } from '../cite/names.ts';

const FEW_WORDS = 3;
/** A message with a verb stands alone unless it points back. */
const CONNECTED = /^\s*(?:and|or|but|so|then)\b|\b(?:it|its|they|them|their|that|those|these|ones?|he|she)\b/i;
const VERB =
  /\b(?:is|are|was|do|does|did|can|could|may|must|should|will|would|have|has|(?:what|who|where|how)['’]?s)\b/i;

function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !DOCUMENT_FILLER.has(word) && !SPOKEN_FILLER.has(word) && !TALK.has(word));
}

/**
 * The question to search for: the message, with the message before it if it says little by itself. A name in the message
 * replaces those of the one before: "and in Porto?". Undefined for thanks and greetings.
 */
export function toQuestion(message: string, before: string | undefined): string | undefined {
  const own = contentWords(message).length;
  if (own === 0 && !/[?]|^(?:and|what|how|why|when|where|which|who)\b/i.test(message.trim())) return undefined;
  const isWhole = own >= FEW_WORDS || (own > 0 && VERB.test(message) && !CONNECTED.test(message));
  const isWord = own === 0 && !message.trim().includes(' ');
  if (isWhole || isWord || before === undefined || contentWords(before).length === 0)
    return own > 0 ? message : undefined;
  const names = namesIn(message).length > 0 ? namesIn(before) : [];
  return `${names.reduce((text, name) => text.replace(name, ''), before)}\n${message}`;
}

function namesIn(text: string): string[] {
  return findNames(text).flatMap((name) => (name.isFirst ? [] : [name.text]));
}

/** The stems of the words that say what a question is about. */
export function questionStems(question: string): string[] {
  const parts = contentWords(question).flatMap((word) => word.split(/[-'’]/));
  return [...new Set(parts.map(stem))];
}
