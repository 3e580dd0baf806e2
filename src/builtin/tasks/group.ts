import { unquote } from '../../language/clean-text.ts';
import { extractWhen } from '../../language/when.ts';
import { addDays, today, type Zone } from '../../language/zoned-time.ts';
import type { Slots } from './command.ts';
import { type KnownTask, orderTasks } from './known-task.ts';
import { cleanReference, ITEM, MY_LIST } from './reference.ts';
import { exactMatches, type Resolution, resolve, splitNames } from './resolve.ts';
import type { TaskMemory } from './task-memory.ts';

const of = (source: string) => new RegExp(source, 'is');
const THINGS = String.raw`(?:ones?|${ITEM}|things?|stuff|lot|them|it|everything|all|${MY_LIST})`;
const OPENING = String.raw`(?:(?:all|every|each|any|the|of|my|our|those|these|them|it|whole|entire|other|remaining|still|that|that's|which|are|is|i've|i|have|already|everything|anything|what|whatever|ones?|tasks?|things?|items?|stuff|we|we've)\s+)*`;
const ALL = of(
  String.raw`^(?:all|everything|it all|(?:the )?whole thing|(?:all|every(?:thing)?|each|the whole|the entire)(?: (?:of|one of|single))?(?: (?:my|the|our|these|those|them|it))*(?: (?:other|remaining|open|single))?(?: ${THINGS})?(?: (?:on|in|from) ${MY_LIST})?|the rest|${MY_LIST})$`,
);
const DONE = of(String.raw`^${OPENING}(?:done|finished|completed?|ticked(?: off)?|checked(?: off)?)(?:\s+${THINGS})?$`);
const OPEN = of(
  String.raw`^${OPENING}(?:open|pending|unfinished|undone|incomplete|remaining|left|outstanding|not done)(?:\s+${THINGS})?$`,
);
const EXCEPT = String.raw`(?:except(?:ing)?(?: for| that)?|apart from|aside from|other than|excluding|exclud(?:e|es)|besides|save for|with the exception of|not including|(?:but|and)\s+(?:not|keep(?:ing)?|leave|spare|don'?t (?:delete|remove|touch|complete|mark)|do not (?:delete|remove|touch|complete|mark)))`;
const SPLIT = of(String.raw`^(.+?)\s*,?\s+${EXCEPT}\s+(.+)$`);
/** "but" alone is an exception only after a word for all. */
const SPLIT_BUT = of(
  String.raw`^((?:.*\s)?(?:all|everything|anything|${ITEM}|of them|them|list|ones|due \S+|as done|done))\s*,?\s+but(?:\s+for)?\s+(.+)$`,
);
const DUE = /^(.*?)\s*\b(?:(?:that|which)(?:'s| is| are)\s+)?(due|for|from|on|scheduled for)\s+(.+)$/i;
const OF_DAY = of(
  String.raw`^(?:(?:all|every|of|my|the)\s+)*((?:today|tomorrow|yesterday|(?:(?:this|next|last)\s+)?(?:week|month|\w+day))(?:'s|s'))\s+(?:${ITEM}|ones|things|stuff)$`,
);
const OVERDUE = of(
  String.raw`^(?:(?:all|every|everything|anything|of|my|the|that(?:'s| is| are)|which (?:is|are)|${ITEM})\s+)*(?:overdue|past due|late)(?:\s+(?:${ITEM}|ones|things|stuff))?$`,
);
const SOME = of(
  String.raw`^(?:(?:all|everything|every|each|anything|whatever|of|my|the|them)\s*)*(?:${ITEM}|ones?|things?|stuff)?$`,
);

/** "everything about eggs": all tasks that have a word. */
const ABOUT = of(
  String.raw`^(?:everything|anything|(?:all|every|any)(?: (?:of|the|my))*(?: ${THINGS})?) (?:about|with|mentioning|containing|to do with|related to|regarding) (.+)$`,
);

/** The target of some words: a group of tasks, by state, day and exceptions, or one task by its name. */
export function readTarget(words: string, zone: Zone): Slots {
  const text = words.trim().replace(/[.!?,]+$/, '');
  const split = splitExcept(text);
  if (split) {
    const group = readGroup(split.rest, zone);
    return { ...(group ?? { ref: cleanReference(split.rest) }), except: split.except };
  }
  const [, topic] = ABOUT.exec(text) ?? [];
  if (topic !== undefined) return { filter: 'all', ref: cleanReference(topic) || topic };
  const group = readGroup(text, zone);
  if (group) return group;
  const ref = cleanReference(text);
  return ref === '' ? {} : { ref };
}

/** Words that stand for all tasks of a kind; undefined for words that name tasks. */
export function readGroup(words: string, zone: Zone): Slots | undefined {
  if (/^["']/.test(words)) return undefined;
  if (OVERDUE.test(words)) return { filter: 'pending', when: 'overdue' };
  const [, ofDay] = OF_DAY.exec(words) ?? [];
  if (ofDay !== undefined) return { filter: 'all', when: ofDay.replace(/'s$|'$/, '') };
  if (DONE.test(words)) return { filter: 'completed' };
  if (OPEN.test(words)) return { filter: 'pending' };
  if (ALL.test(words)) return { filter: 'all' };
  const [, head = '', , day = ''] = DUE.exec(words) ?? [];
  const when = day === '' ? undefined : extractWhen(day, zone);
  if (when?.rest !== '' || head.trim() === '') return undefined;
  const group = SOME.test(head.trim()) ? { filter: 'all' as const } : readGroup(head.trim(), zone);
  return group && { ...group, when: when.text };
}

/** Splits a group from its exception. Words in quotes are a title. */
export function splitExcept(words: string): { rest: string; except: string } | undefined {
  if (/^\s*["']/.test(words)) return undefined;
  const [, rest, except] = SPLIT.exec(words) ?? SPLIT_BUT.exec(words) ?? [];
  if (rest === undefined || except === undefined) return undefined;
  return { rest: rest.replace(/,$/, '').trim(), except: unquote(except) };
}

interface Scene {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
  zone: Zone;
}

/** The tasks that "everything due tomorrow except milk" stands for. What is excepted is never among them. */
export function resolveGroup(
  { filter, except, ref }: Slots,
  day: string | undefined,
  { tasks, memory, zone }: Scene,
): Resolution {
  const isState = (task: KnownTask) =>
    filter === undefined || filter === 'all' || task.is_completed === (filter === 'completed');
  const meant = orderTasks(tasks).filter((task) => isState(task) && isDue(day, task, zone));
  const named = ref === undefined ? meant : allNamed(ref, meant, memory);
  const excepted: KnownTask[] = [];
  for (const part of except === undefined ? [] : partsOf(except, tasks, memory)) {
    const found = findPart(part, { tasks, memory, zone });
    if (found.length === 0) return { kind: 'none', unknown: cleanReference(part) || part };
    excepted.push(...found);
  }
  return { kind: 'found', tasks: named.filter((task) => !excepted.includes(task)), how: 'group' };
}

function partsOf(except: string, tasks: readonly KnownTask[], memory: TaskMemory): string[] {
  return exactMatches(cleanReference(except), tasks).length > 0 || allNamed(except, tasks, memory).length > 0
    ? [except]
    : splitNames(except);
}

function isDue(when: string | undefined, { due_date }: KnownTask, zone: Zone): boolean {
  if (when === undefined) return true;
  const day = due_date?.slice(0, 10);
  if (day === undefined) return false;
  if (when === 'overdue') return day <= addDays(today(zone), -1);
  // A month alone is all of its days.
  const span = extractWhen(/^[a-z]+$/i.test(when) ? `in ${when}` : when, zone) ?? extractWhen(when, zone);
  return span !== undefined && span.from <= day && day <= span.to;
}

const STATE = /^(?:(?:completed?|done|finished)|(pending|open|unfinished|incomplete|undone))(?:\s+(?:ones|tasks))?$/i;

function findPart(part: string, { tasks, memory, zone }: Scene): KnownTask[] {
  const state = STATE.exec(cleanReference(part));
  if (state) return tasks.filter((task) => task.is_completed === (state[1] === undefined));
  const when = extractWhen(part.replace(/'s\b/i, ''), zone);
  const isDay =
    when &&
    /^(?:(?:those|these|the|ones?|tasks?|items?|things?|stuff|that|which|is|are|due|what)\s*)*$/i.test(when.rest);
  if (isDay) return tasks.filter((task) => isDue(when.text, task, zone));
  return allNamed(part, tasks, memory);
}

function allNamed(words: string, tasks: readonly KnownTask[], memory: TaskMemory): KnownTask[] {
  const found = resolve(cleanReference(words) || words, tasks, memory);
  return found.kind === 'none' || found.how === 'similar' ? [] : found.tasks;
}
