/** Returns the word that a misspelt word stands for, or the word itself. */
export type CorrectWord = (word: string) => string;

const LEAST_LETTERS = 3;
const LEAST_TARGET = 4;

/**
 * Corrects unknown words that are one slip away from a word that carries a command: a letter too many, missing, wrong or
 * swapped with its neighbour. Known words are never changed.
 */
export function createSpelling(targets: Iterable<string>, known: ReadonlySet<string>): CorrectWord {
  const byKey = new Map<string, string>();
  for (const target of targets) {
    if (target.length < LEAST_TARGET) continue;
    for (const key of keysOf(target)) if (!byKey.has(key)) byKey.set(key, target);
  }
  return (word) => {
    if (word.length < LEAST_LETTERS || known.has(word) || !/^[a-z']+$/.test(word)) return word;
    const near = keysOf(word).flatMap((key) => byKey.get(key) ?? []);
    return near.find((target) => isOneSlip(word, target)) ?? word;
  };
}

/** The word itself and the word without each of its letters: two words one slip apart share a key. */
function keysOf(word: string): string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

function isOneSlip(word: string, target: string): boolean {
  if (Math.abs(word.length - target.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === target[start]) start++;
  let end = 0;
  while (end < word.length - start && end < target.length - start && word.at(-1 - end) === target.at(-1 - end)) end++;
  const [left, right] = [word.slice(start, word.length - end), target.slice(start, target.length - end)];
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  return isSwapped || (left.length <= 1 && right.length <= 1);
}
