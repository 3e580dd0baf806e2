import { toSingular } from '../../model/nouns.ts';

const LEAST_LENGTH = 4;
/** From this length on a word may have two wrong letters. */
const LONG = 8;

/** The only known word that is near enough to a misspelt one. Undefined if there is none, or if several are. */
export function nearestWord(word: string, known: readonly string[], limit = 2): string | undefined {
  if (word.length < LEAST_LENGTH) return undefined;
  const most = Math.min(limit, word.length >= LONG ? 2 : 1);
  let best: { word: string; distance: number } | undefined;
  let isTied = false;
  for (const other of known) {
    if (other[0] !== word[0] || other.length < LEAST_LENGTH || Math.abs(other.length - word.length) > most + 1)
      continue;
    const distance = Math.min(editDistance(word, other), editDistance(word, `${other}s`));
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
