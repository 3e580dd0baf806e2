import { toSingular } from '../../model/nouns.ts';
import { CORRECTABLE, isFunctionWord } from './function-words.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

const LEAST_LENGTH = 4;
/** From this length on a word may have two wrong letters. */
const LONG = 8;

export interface TypoContext {
  lexicon: Lexicon;
  isEnglish(word: string): boolean;
}

/** Reads misspelt words as the nearest word of the model or of grammar. A known English word is never changed. */
export function correctTypos(tokens: readonly Token[], { lexicon, isEnglish }: TypoContext): Token[] {
  return tokens.map((token) => {
    const { word, lemma, number } = token;
    const isKnown = lexicon.words.has(word) || lexicon.words.has(lemma) || isFunctionWord(word);
    if (isKnown || number !== undefined || word.length < LEAST_LENGTH || /\d/.test(word)) return token;
    if (CORRECTABLE.includes(word)) return token;
    // Lists of English words hold common misspellings; a long word that differs in one letter is one of them.
    if (isEnglish(word) && word.length < LONG) return token;
    const most = isEnglish(word) ? 1 : undefined;
    const nearest = findNearest(word, [...lexicon.words], most) ?? findNearest(word, CORRECTABLE, most);
    if (nearest === undefined) return token;
    const isSlip = !isEnglish(word) && isSlipOf(word, nearest);
    return { ...token, word: nearest, lemma: toSingular(nearest), typed: nearest, ...(isSlip && { isSlip }) };
  });
}

/** From this length on one wrong letter inside a word leaves no doubt about it. */
const SURE_LENGTH = 6;

/** True for a dropped letter of a long word, or another one inside it. Another ending may be another word: pricey, prices. */
function isSlipOf(word: string, known: string): boolean {
  const form = [known, `${known}s`, toSingular(known)].find((one) => editDistance(word, one) === 1);
  if (form === undefined || form.length < SURE_LENGTH) return false;
  return form.length > word.length || form.slice(-2) === word.slice(-2);
}

function findNearest(word: string, known: readonly string[], limit = 2): string | undefined {
  const most = Math.min(limit, word.length >= LONG ? 2 : 1);
  let best: { word: string; distance: number } | undefined;
  let isTied = false;
  for (const other of known) {
    if (other[0] !== word[0] || other.length < LEAST_LENGTH || Math.abs(other.length - word.length) > most) continue;
    const forms = isFunctionWord(other) ? [other] : [other, `${other}s`];
    const distance = Math.min(...forms.map((form) => editDistance(word, form)));
    if (distance > most || (best && isSameWord(other, best.word))) continue;
    isTied = best !== undefined && (distance === best.distance || (isTied && distance > best.distance));
    if (!best || distance < best.distance) best = { word: other, distance };
  }
  return isTied ? undefined : best?.word;
}

/** The forms of one word are no rivals: order, orders, ordered. */
function isSameWord(a: string, b: string): boolean {
  const stem = (word: string) => toSingular(word).replace(/(?:ed|ing|e)$/, '');
  return stem(a) === stem(b);
}

/** Letters added, dropped or changed; two swapped neighbours count as one. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, index) => [index]);
  const at = (row: number, column: number) => rows[row]?.[column] ?? Math.max(row, column);
  for (let column = 0; column <= b.length; column++) (rows[0] ?? [])[column] = column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
      (rows[row] ?? [])[column] = isSwap ? Math.min(least, at(row - 2, column - 2) + 1) : least;
    }
  }
  return at(a.length, b.length);
}
