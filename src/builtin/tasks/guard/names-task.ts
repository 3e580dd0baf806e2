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
const AND = /\s*,\s*(?:and\s+)?|\s+(?:and|&|n|plus)\s+/i;

/** The tasks that a clause may be about: those to be changed, and the others of the user, which may be named beside them. */
export interface Named {
  tasks: readonly KnownTask[];
  known: readonly KnownTask[];
}

/** True if the words name these tasks and nothing else. */
export function namesTasks(words: string, { tasks, known }: Named): boolean {
  const said = words.trim().replace(/^(?:the )?(?:tasks?|items?|numbers?|nos?\.?) (?=#?\d)/i, '');
  if (said === '') return false;
  if (isPronoun(said) || ID.test(said)) return tasks.length === 1;
  if (SEVERAL.test(said)) return tasks.length > 1;
  const places = said.split(AND).map(readPosition);
  if (places.every((place) => place !== undefined)) return places.length >= tasks.length;
  if (readPositions(said, Number.MAX_SAFE_INTEGER) !== undefined) return true;
  return names(said, tasks, known) || areNamed(said.split(AND), tasks, known);
}

/** True if all words are in the title of one task: the one to be changed, or beside it another one. */
function names(said: string, tasks: readonly KnownTask[], known: readonly KnownTask[]): boolean {
  const [only, another] = tasks;
  return only !== undefined && another === undefined && isNameOf(said, only) && isWhole(said, only, known);
}

/** "milk and soap": each name is that of a task, and each task has its name. */
function areNamed(parts: readonly string[], tasks: readonly KnownTask[], known: readonly KnownTask[]): boolean {
  return (
    parts.length > 1 &&
    parts.every((part) => [...tasks, ...known].some((task) => isNameOf(part, task))) &&
    tasks.every((task) => parts.some((part) => isNameOf(part, task)))
  );
}

function isNameOf(said: string, { title }: KnownTask): boolean {
  const own = new Set(wordsOf(title));
  const telling = wordsOf(said).filter((word) => !BESIDE.has(word));
  return telling.length > 0 && telling.every((word) => holds(own, word));
}

/** False if another task has exactly this name: "call Anna" beside "call Anna about the lease". */
function isWhole(said: string, { id, title }: KnownTask, known: readonly KnownTask[]): boolean {
  const bare = (text: string) =>
    wordsOf(text)
      .filter((word) => !BESIDE.has(word))
      .join(' ');
  return bare(title) === bare(said) || !known.some((other) => other.id !== id && bare(other.title) === bare(said));
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
