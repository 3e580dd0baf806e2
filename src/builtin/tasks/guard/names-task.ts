import { isOneTypoAway, readPosition, readPositions, stem } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun } from '../resolve-reference.ts';

/** Words beside those of a title. */
const BESIDE = new Set(
  'the my our your a an that this those these both all of and & task tasks one ones thing item items reminder entry todo job to for about named called'.split(
    ' ',
  ),
);
const SEVERAL =
  /^(?:both|all|them|these|those|they|(?:both|all|all (?:two|three|four|five)) of (?:them|these|those))$/i;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LEAST_FOR_TYPO = 4;

/** The tasks that a clause may be about: those to be changed, and the others of the user, which may be named beside them. */
export interface Named {
  tasks: readonly KnownTask[];
  known: readonly KnownTask[];
}

/** True if the words name these tasks: each word is one of a title, and each title of theirs has one of the words. */
export function namesTasks(words: string, { tasks, known }: Named): boolean {
  const said = words.trim().replace(/^(?:the )?(?:tasks?|items?|numbers?|nos?\.?) (?=#?\d)/i, '');
  if (said === '') return false;
  if (isPronoun(said) || ID.test(said)) return tasks.length === 1;
  if (SEVERAL.test(said)) return tasks.length > 1;
  const places = said.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map(readPosition);
  if (places.every((place) => place !== undefined)) return places.length >= tasks.length;
  if (readPositions(said, Number.MAX_SAFE_INTEGER) !== undefined) return true;
  const titles = tasks.map(({ title }) => new Set(wordsOf(title)));
  const others = known.map(({ title }) => new Set(wordsOf(title)));
  const telling = wordsOf(said).filter((word) => !BESIDE.has(word));
  const isKnown = (word: string) => [...titles, ...others].some((title) => holds(title, word));
  return telling.every(isKnown) && titles.every((title) => telling.some((word) => holds(title, word)));
}

/** Stems of all words, also of the small ones. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    stem(word.replace(/['’]s$/u, '')),
  );
}

function holds(title: ReadonlySet<string>, word: string): boolean {
  if (title.has(word)) return true;
  return (
    word.length >= LEAST_FOR_TYPO &&
    [...title].some((other) => other.length >= LEAST_FOR_TYPO && isOneTypoAway(word, other))
  );
}
