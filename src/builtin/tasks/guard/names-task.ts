import { withoutVerb } from '../../../language/action-verbs.ts';
import { isOneTypoAway, stem } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { bareWords, isSameName, wordsOf } from './plain-words.ts';

const LEADING =
  /^(?:(?:both|all)(?: of)? )?(?:(?:the|my|our|that|this|those|these|an?) )?(?:(?:tasks?|one|reminder|item|entry|thing) (?:about|for|called|named|with|to) (?:the |my |our |an? )?|(?:task|reminder|item|entry):? (?=\S))?/i;
const TRAILING = / (?:tasks?|ones?|reminders?|items?|entry|entries|thing|job|bit)$/i;
const SEVERAL =
  /^(?:both|all|them|these|those|they|(?:both|all|all (?:two|three|four|five)) of (?:them|these|those))$/i;
const ID = /^(?:(?:the )?task )?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ORDINAL = '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)';
/** "the second", "second one", "#2", "task 2", "2nd"; not "last" in "I finished last". */
const PLACE = new RegExp(
  String.raw`^(?:the ${ORDINAL}(?: (?:one|task|item))?|${ORDINAL} (?:one|task|item)|(?:(?:tasks?|items?|numbers?|no\.?) )?#?\d{1,3}|(?:the )?\d{1,3}(?:st|nd|rd|th)(?: (?:one|task|item))?)$`,
  'i',
);
/** "the first three", "the last two", "2 to 4". */
const PLACES =
  /^(?:the (?:first|last|top|next) (?:\d|two|three|four|five)(?: (?:ones|tasks|items))?|(?:(?:tasks?|items?|numbers?) )?#?\d{1,2}\s*(?:-|to|through)\s*#?\d{1,2})$/i;
const AND = /\s*,\s*(?:and\s+)?|\s+(?:and|&|n|plus)\s+/i;
const LEAST_FOR_TYPO = 6;

/** The tasks that a clause may be about: those to be changed, and the others of the user, which may be named beside them. */
export interface Named {
  tasks: readonly KnownTask[];
  known: readonly KnownTask[];
}

/** True if the words name these tasks and nothing else. */
export function namesTasks(words: string, { tasks, known }: Named): boolean {
  const said = words.trim();
  if (SEVERAL.test(said)) return tasks.length > 1;
  if (isPronoun(said) || ID.test(said)) return tasks.length === 1;
  if (isPlace(said)) return true;
  const [only, another] = tasks;
  if (only && !another && isNameOf(said, only) && isOwn(said, only, known)) return true;
  const parts = said.split(AND);
  return (
    parts.length > 1 &&
    parts.every((part) => [...tasks, ...known].some((task) => isNameOf(part, task))) &&
    tasks.every((task) => parts.some((part) => isNameOf(part, task)))
  );
}

/** True for a pronoun, a place, or all words of a title but its verb: "test cases" is not all of "update test cases for the shop". */
export function namesWhole(words: string, { title }: KnownTask): boolean {
  const said = words.trim();
  if (isPronoun(said) || ID.test(said) || isPlace(said)) return true;
  const own = bareWords(said.replace(LEADING, '').replace(TRAILING, '')).join(' ');
  const whole = bareWords(title);
  const rest = whole[0] === 'do' ? whole.slice(1) : withoutVerb(whole);
  return own === whole.join(' ') || own === rest.join(' ');
}

/** True for a place in the list, or several. */
export function isPlace(said: string): boolean {
  return PLACES.test(said) || said.split(AND).every((part) => PLACE.test(part));
}

/** True if the words stand in the title, in this order, and say what it is about. */
function isNameOf(said: string, task: KnownTask): boolean {
  const own = wordsOf(task.title);
  const bare = said.replace(LEADING, '').replace(TRAILING, '');
  // "I watched a movie" need not be the one; "my job is done" is about no task.
  if (!namesParts(bare, task.title)) return false;
  if ((/^an?\s/i.test(said) && !/\ban?\s/i.test(task.title)) || /^job$/i.test(bare)) return false;
  const found = resolveReference(bare, [task], { ordered: [] });
  if (found.kind !== 'one' || found.how === 'partial' || found.how === 'overlap') return false;
  const telling = bareWords(bare);
  let at = -1;
  return (
    telling.length > 0 &&
    telling.every((word) => {
      at = own.findIndex((other, index) => index > at && isSame(word, other));
      return at >= 0;
    })
  );
}

/** False if only a part of "call Bob and Anna" is named. */
function namesParts(said: string, title: string): boolean {
  const words = new Set(bareWords(said));
  const parts = withoutVerb(wordsOf(title)).length > 0 ? title.split(/,\s*(?:and\s+)?|\s+(?:and|&|plus)\s+/i) : [title];
  return parts.every((part) => bareWords(part).some((word) => words.has(word)));
}

/** False if another task has exactly this name: "call Anna" beside "call Anna about the lease". */
function isOwn(said: string, { id, title }: KnownTask, known: readonly KnownTask[]): boolean {
  return isSameName(title, said) || !known.some((other) => other.id !== id && isSameName(other.title, said));
}

/** Other forms of a word may be other things: "Anne" is not "Ann", and "reports" are not the report. */
function isSame(word: string, other: string): boolean {
  return word === other || (Math.min(word.length, other.length) >= LEAST_FOR_TYPO && isTypo(word, other));
}

function isTypo(word: string, other: string): boolean {
  return isOneTypoAway(word, other) && stem(word) !== stem(other);
}
