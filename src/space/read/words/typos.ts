import { isOneTypoAway } from '../../../language/words.ts';
import { toSingular } from '../../model/nouns.ts';

const LEAST_LENGTH = 4;

/** The only known word that is one letter away from a misspelt one. Undefined if there is none, or if several are. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length < LEAST_LENGTH) return undefined;
  const isNear = (other: string) =>
    other[0] === word[0] &&
    other.length >= LEAST_LENGTH &&
    (isOneTypoAway(word, other) || isOneTypoAway(word, `${other}s`));
  const [first, ...others] = known.filter(isNear);
  return first !== undefined && others.every((other) => isSameWord(first, other)) ? first : undefined;
}

/** The forms of one word are no rivals: order, orders, ordered. */
function isSameWord(a: string, b: string): boolean {
  const stem = (word: string) => toSingular(word).replace(/(?:ed|ing|e)$/, '');
  return stem(a) === stem(b);
}
