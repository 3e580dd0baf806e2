import { withoutVerb } from '../../language/action-verbs.ts';
import { isKnownWord } from '../../language/typos.ts';
import { contentStems, isOneTypoAway, readPosition, readPositions, toStems } from '../../language/words.ts';
import { weekday } from '../../language/zoned-time.ts';
import type { How } from './decide.ts';
import { type KnownTask, orderTasks } from './known-task.ts';
import { cleanReference } from './reference.ts';
import type { TaskMemory } from './task-memory.ts';

/** `many`: the same words fit several tasks, of which one is meant. `unknown`: words for an exception that fits no task. */
export type Resolution =
  | { kind: 'found'; tasks: KnownTask[]; how: How }
  | { kind: 'many'; tasks: KnownTask[]; how: How }
  | { kind: 'none'; unknown?: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PRONOUN =
  /^(?:it|that|this|his|hers|him|her|(?:that|this|the same|the last|the latest|the newest) (?:one|task|item|todo|reminder|thing))$/i;
const PLURAL =
  /^(?:them|these|those|both|them both|both of (?:them|these|those)|them all|all of (?:them|these|those)|all (?:these|those))$/i;
/** A title says what it is about before these words; behind them are details. */
const DETAIL = /^(?:for|about|with|from|at|by|to|on|in|of|before|after|regarding|re|via|until|and)$/i;
/** Words that turn a reference around: what only resembles it is then just what is not meant. */
const EXCEPTS = /^but\b|\b(?:except|excluding|apart from|other than|besides|all but|everything but|not)\b/i;

export function isPronoun(ref: string): boolean {
  return PRONOUN.test(ref.trim());
}

export function isPlural(ref: string): boolean {
  return PLURAL.test(ref.trim());
}

const one = (task: KnownTask | undefined, how: How): Resolution =>
  task ? { kind: 'found', tasks: [task], how } : { kind: 'none' };

/** "it", "them" and "the second one" mean what was said and shown before; an id is itself. No list is needed for them. */
export function recall(ref: string, memory: TaskMemory): Resolution {
  if (UUID.test(ref)) return one({ id: ref.toLowerCase(), title: ref, is_completed: false }, 'exact');
  if (isPronoun(ref)) return one(memory.last, memory.isLastFresh ? 'recent' : 'stale');
  const position = readPosition(ref);
  if (position === undefined || memory.shown.length === 0) return { kind: 'none' };
  return one(memory.shown.at(position > 0 ? position - 1 : position), memory.isShownFresh ? 'exact' : 'counted');
}

/** Finds what a few words mean: exact > named > partial > position > typo > similar > several. */
export function resolve(ref: string, tasks: readonly KnownTask[], memory?: TaskMemory): Resolution {
  if (/^[-−]\s*\d+$/.test(ref.trim())) return { kind: 'none' };
  if (isPronoun(ref)) return memory?.last ? recall(ref, memory) : bySaid(tasks, memory);
  if (isPlural(ref)) return byGroup(ref, tasks, memory);
  // "Monday's gym" is the gym that is due on a Monday.
  const [, day = '', named] = /^(\p{L}+)day['’]s\s+(\S.*)$/iu.exec(ref) ?? [];
  const place = ['mon', 'tues', 'wednes', 'thurs', 'fri', 'satur', 'sun'].indexOf(day.toLowerCase());
  if (named !== undefined && place >= 0)
    return resolve(
      named,
      tasks.filter(({ due_date }) => due_date !== undefined && weekday(due_date.slice(0, 10)) === place),
      memory,
    );
  const ordered = countedTasks(tasks, memory);
  const found =
    toResolution(exactMatches(ref, tasks), 'exact') ?? byWords(ref, tasks) ?? byPosition(ref, ordered, memory);
  if (found) return found;
  const several = bySeveral(ref, tasks, memory) ?? byAllWords(ref, tasks);
  if (several) return several;
  const near = toResolution(typoMatches(ref, tasks), 'typo') ?? toResolution(overlapMatches(ref, tasks), 'similar');
  return !near || (near.how === 'similar' && EXCEPTS.test(ref)) ? { kind: 'none' } : near;
}

function toResolution(tasks: KnownTask[], how: How): Exclude<Resolution, { kind: 'none' }> | undefined {
  return tasks.length === 0 ? undefined : { kind: tasks.length === 1 ? 'found' : 'many', tasks, how };
}

/** The tasks that positions refer to: the list shown last, without tasks that are gone. */
function countedTasks(tasks: readonly KnownTask[], memory: TaskMemory | undefined): readonly KnownTask[] {
  const shown = memory && countedIn(memory);
  if (!shown) return orderTasks(tasks);
  return shown.map((shown) => tasks.find(({ id }) => id === shown.id) ?? shown);
}

/** The list that was shown, or the tasks that were just added or changed together. */
function countedIn({ shown, group, isJustChanged }: TaskMemory): readonly KnownTask[] | undefined {
  if (shown.length > 0) return shown;
  return isJustChanged && group.length > 1 ? group : undefined;
}

function byPosition(
  ref: string,
  ordered: readonly KnownTask[],
  memory: TaskMemory | undefined,
): Resolution | undefined {
  const isGroup = memory?.shown.length === 0 && countedIn(memory) !== undefined;
  const isSeen = !memory || isGroup || (memory.shown.length > 0 && memory.isShownFresh);
  if (/^(?:\d+|two|three|four|five|six)\s+\p{L}+s$/u.test(ref)) return undefined;
  const positions = readPositions(ref, ordered.length);
  if (positions)
    return {
      kind: 'found',
      tasks: positions.flatMap((place) => ordered[place - 1] ?? []),
      how: isSeen ? 'several' : 'group',
    };
  const position = readPosition(ref);
  if (position === undefined) return undefined;
  return one(ordered.at(position > 0 ? position - 1 : position), isSeen ? 'exact' : 'counted');
}

const SMALL: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our']);

/** The words of a text as they are said, without articles. */
function bareWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !SMALL.has(word));
}

export function isSameName(one: string, other: string): boolean {
  return bareWords(one).join(' ') === bareWords(other).join(' ');
}

export function exactMatches(ref: string, tasks: readonly KnownTask[]): KnownTask[] {
  const same = tasks.filter(({ title }) => title.trim().toLowerCase() === ref.trim().toLowerCase());
  return same.length > 0 ? same : tasks.filter(({ title }) => isSameName(title, ref));
}

/** The reference's words stand together in the title. */
function byWords(ref: string, tasks: readonly KnownTask[]): Resolution | undefined {
  if (readPosition(ref) !== undefined) return undefined;
  const wanted = contentStems(ref);
  const holding = tasks.filter(
    ({ title }) => holdsRun(toStems(title), wanted) || holdsRun(contentStems(title), wanted),
  );
  const [only] = holding;
  return toResolution(holding, only ? nameOf(ref, wanted, only.title) : 'partial');
}

/** How well some words of a title name it. */
function nameOf(ref: string, wanted: readonly string[], title: string): How {
  const words = bareWords(title);
  const said = bareWords(ref).join(' ');
  const object = words[0] === 'do' ? words.slice(1) : withoutVerb(words);
  if (said === object.join(' ')) return 'named';
  if (contentStems(title).join(' ') === wanted.join(' ')) return 'typo';
  const isVerb = wanted[0] === toStems(words[0] ?? '')[0] && withoutVerb(words) !== words;
  // "the email to Priya" can only be "email Priya the numbers"; "email Priya" might be another task.
  const isReworded = bareWords(ref).some((word) => DETAIL.test(word) && !words.includes(word));
  return saysWhat(wanted, title) || isReworded || (wanted.length === 1 && !isVerb) ? 'about' : 'partial';
}

/**
 * True if the words cover what the title is about: all of it but its verb, or the last word before its details.
 * "report" names "finish the report for Bob"; "call Anna" does not name "call Anna about the lease".
 */
function saysWhat(wanted: readonly string[], title: string): boolean {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}]+)*/gu) ?? [];
  const object = withoutVerb(words);
  const isWhole = contentStems(object.join(' ')).join(' ') === wanted.join(' ');
  const end = object.findIndex((word, index) => index > 0 && DETAIL.test(word));
  const about = contentStems(object.slice(0, end < 0 ? undefined : end).join(' '));
  const beginsWithVerb = object !== words && wanted[0] === toStems(words[0] ?? '')[0];
  const isHead = object === words ? wanted.join(' ') === about.join(' ') : wanted.at(-1) === about.at(-1);
  return isWhole || (isHead && !beginsWithVerb);
}

/** The titles that have all words of the reference, in any order: "Mia's dentist" for "dentist for Mia". */
function byAllWords(ref: string, tasks: readonly KnownTask[]): Resolution | undefined {
  const wanted = contentStems(ref);
  const holding = tasks.filter(({ title }) => wanted.every((word) => contentStems(title).includes(word)));
  const [only] = wanted.length < 2 ? [] : holding;
  const words = bareWords(only?.title ?? '');
  const isVerb = withoutVerb(words) !== words && wanted.includes(toStems(words[0] ?? '')[0] ?? '');
  return only && toResolution(holding, isVerb ? 'partial' : 'about');
}

function holdsRun(words: readonly string[], run: readonly string[]): boolean {
  return run.length > 0 && words.some((_, start) => run.every((word, index) => words[start + index] === word));
}

/** As `named` or `exact`, with a misspelt word. A word that exists is not misspelt: "Maria" does not name "Marta". */
function typoMatches(ref: string, tasks: readonly KnownTask[]): KnownTask[] {
  const wanted = contentStems(ref);
  return tasks.filter(({ title }) => {
    const stems = contentStems(title);
    const meant = wanted.map((word) =>
      isKnownWord(word) ? word : (stems.find((other) => isSameWord(word, other)) ?? word),
    );
    return wanted.length > 0 && meant.every((word) => stems.includes(word)) && saysWhat(meant, title);
  });
}

/** The tasks that share the most words, at least half of the shorter side; a typo in a longer word still counts. */
function overlapMatches(ref: string, tasks: readonly KnownTask[]): KnownTask[] {
  const wanted = [...new Set(contentStems(ref))];
  const scored = tasks.map((task) => ({ task, score: overlap(wanted, [...new Set(contentStems(task.title))]) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best >= 0.5 ? scored.filter(({ score }) => score === best).map(({ task }) => task) : [];
}

function overlap(wanted: readonly string[], title: readonly string[]): number {
  const shared = wanted.filter((word) => title.some((other) => isSameWord(word, other))).length;
  return shared / Math.max(1, Math.min(wanted.length, Math.max(title.length, 2)));
}

function isSameWord(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= 4 && !/\d/.test(a + b) && isOneTypoAway(a, b));
}

/** "milk, eggs and soap". */
export function splitNames(words: string): string[] {
  return words.split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&|plus)\s+/i).filter((part) => part !== '');
}

/** "milk and eggs": several tasks, each named, where no task is named by the whole. */
function bySeveral(ref: string, tasks: readonly KnownTask[], memory: TaskMemory | undefined): Resolution | undefined {
  const parts = splitNames(ref.replace(/^(?:both|the)\s+|\s+(?:both|all)$/gi, ''));
  if (parts.length < 2) return undefined;
  const found = parts.flatMap((part) => {
    const each = resolve(cleanReference(part) || part, tasks, memory);
    return each.kind === 'found' && each.how !== 'similar' ? each.tasks : [];
  });
  const isEach = found.length === parts.length && new Set(found).size === found.length;
  return isEach ? { kind: 'found', tasks: found, how: 'several' } : undefined;
}

/** "them" are the tasks of the last turn, if it was about several. */
function byGroup(ref: string, tasks: readonly KnownTask[], memory: TaskMemory | undefined): Resolution {
  const group = (memory?.group ?? []).flatMap(({ id }) => tasks.find((task) => task.id === id) ?? []);
  const isBoth = /both/i.test(ref);
  if (isBoth ? group.length === 2 : group.length > 1) return { kind: 'found', tasks: group, how: 'several' };
  const open = tasks.filter((task) => !task.is_completed);
  if (isBoth && open.length === 2) return { kind: 'found', tasks: open, how: 'several' };
  // "them" for one task may be meant of its thing: roses.
  return isBoth ? { kind: 'none' } : one(memory?.last, memory?.isLastFresh ? 'typo' : 'stale');
}

/** In a conversation of texts alone: the task that the newest text with any task's whole title in it names. */
function bySaid(tasks: readonly KnownTask[], memory: TaskMemory | undefined): Resolution {
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  for (const text of memory?.said ?? []) {
    const words = ` ${wordsOf(text)} `;
    const named = tasks.filter(({ title }) => wordsOf(title) !== '' && words.includes(` ${wordsOf(title)} `));
    // "buy milk" is not meant where "buy milk and eggs" is.
    const whole = named.filter(
      ({ title }) => !named.some((other) => other.title !== title && wordsOf(other.title).includes(wordsOf(title))),
    );
    if (whole.length > 0) return toResolution(whole, 'recent') ?? { kind: 'none' };
  }
  return { kind: 'none' };
}

/** The tasks that a text speaks of: it has the word that their titles are about. */
export function findMentioned(text: string, tasks: readonly KnownTask[]): KnownTask[] {
  const said = new Set(contentStems(text));
  const whole = tasks.filter(({ title }) => contentStems(title).every((word) => said.has(word)));
  if (whole.length > 0) return whole;
  return tasks.filter(({ title }) => {
    const object = withoutVerb(title.toLowerCase().split(/\s+/));
    const end = object.findIndex((word, index) => index > 0 && DETAIL.test(word));
    const about = contentStems(object.slice(0, end < 0 ? undefined : end).join(' ')).at(-1);
    return about !== undefined && said.has(about);
  });
}

/** True if some words are those of a title and nothing else: a choice that other words may deny is none. */
export function isOnlyNamed(words: string, { title }: KnownTask): boolean {
  const own = bareWords(title);
  const said = bareWords(words.replace(/\s+(?:tasks?|ones?|thing)$/i, ''));
  return said.length > 0 && said.every((word) => own.some((other) => isSameWord(word, other)));
}
