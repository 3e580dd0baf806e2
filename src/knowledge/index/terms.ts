import { stemmer } from 'stemmer';
import { DOCUMENT_FILLER } from '../../language/filler-words.ts';

/**
 * The terms of a text, in order: lower case, without accents and stop words, stemmed. Documents and questions go through
 * the same function. A name such as `maxTokens` gives itself and its parts; scripts without spaces give single
 * characters.
 */
export function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of fold(text).match(WORD) ?? []) {
    if (UNSPACED.test(word)) {
      terms.push(...(word.match(UNSPACED_PARTS) ?? []).map(toTerm));
      continue;
    }
    const parts = CAMEL.test(word) ? (word.match(CAMEL_PARTS) ?? []) : [];
    terms.push(toTerm(word), ...(parts.length > 1 ? parts.map(toTerm) : []));
  }
  return terms.filter((term) => term !== '');
}

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_PARTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const CAMEL = /\p{Ll}\p{Lu}/u;
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
const GROUPED_DIGITS = /(?<=\d),(?=\d{3}(?!\d))/g;
const POSSESSIVE = /['’]s\b/g;
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;

function fold(text: string): string {
  const plain = /^[\u0000-\u007f]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFKC');
  return plain.replace(GROUPED_DIGITS, '').replace(POSSESSIVE, '').replace(APOSTROPHE, '');
}

/** Stems of frequent words; cleared when it is full, so that odd documents cannot fill the memory. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

/** Empty for a stop word. */
function toTerm(written: string): string {
  const known = stems.get(written);
  if (known !== undefined) return known;
  const word = written.toLowerCase();
  const term = DOCUMENT_FILLER.has(word) ? '' : stemOf(word.slice(0, MAX_TERM_CHARS));
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(written, term);
  return term;
}

/** Porter's stems are for English alone. */
function stemOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

const MAX_TERM_CHARS = 64;
