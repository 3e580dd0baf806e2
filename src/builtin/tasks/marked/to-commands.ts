import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText, unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { cleanReference } from '../frames/clean-reference.ts';
import type { Slots } from '../frames/frame.ts';
import type { KnownTask } from '../known-task.ts';
import { DURATION } from '../plan/shift-due.ts';
import { whenOfLast } from '../read-noted.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { topicWords } from '../talk/mentions.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { readGroup } from './group-words.ts';
import { newTitle } from './new-title.ts';
import type { MarkedAct } from './to-acts.ts';

export interface MarkedTalk {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
  zone: Zone;
}

const SHIFT = new RegExp(`(${DURATION})`, 'i');
const LENGTH = new RegExp(`^(?:by |another )?${DURATION}$`, 'i');
const EARLIER = /\b(?:earlier|sooner|forward|up|before)\b/i;
const LATER = /\b(?:later|back|more|after|longer|by|another)\b/i;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** "31.12", "5.1.": a day and a month with points; "5.30" is a time. */
const DAY_MONTH = /\b(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])(?:\.(?!\d)|(?<=(?:2[4-9]|3[01])\.\d{1,2})(?![.\d]))/;
const HOUR = /^(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i;
/** A time that is clear even inside of a title. */
const CLEAR_TIME =
  /\d[:.]\d\d|\d ?[ap]\.?m\b|\b(?:today|tomorrow|tonight|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;

/** Words that point at tasks; after a turn about one task they mean that one. */
const POINTING = /^(?:those|these|them|that ones?|thats? one|this ones?|that thing|this thing|he|she|they)$/i;

const OTHER = /^(?:the\s+)?others?(?:\s+(?:ones?|two|three|task|thing))?$/i;
const TIME_WORD =
  /^(?:before|after|around|about|early|late|sometime|first|latest|due|by|no|later|than|exactly|sharp|the|end|start|middle|mid|during|within|between|only|again|ish|each|every|next|this|coming)$/i;

const JOINED: ReadonlySet<string> = new Set(['del', 'done', 'move']);

/** The commands of the acts; undefined where one of them cannot be said as a command. */
export function toCommands(acts: readonly MarkedAct[], talk: MarkedTalk, confidence: number): Command[] | undefined {
  const commands = joinNamed(acts).map((act) => withKnownTime(toCommand(act, talk, confidence), talk.zone));
  return commands.length > 0 && commands.every((command) => command !== undefined) ? commands : undefined;
}

/** A time that cannot be read must not be lost: a new task is offered without it, and the user says what it means. */
function withKnownTime(command: Command | undefined, zone: Zone): Command | undefined {
  const when = command?.slots.when;
  const isKnown = when === undefined || command?.shift !== undefined || extractWhen(when, zone) !== undefined;
  if (isKnown || command?.action !== 'create') return isKnown ? command : undefined;
  const { when: _, ...slots } = command.slots;
  return { ...command, slots, isDoubted: true };
}

/** Several tasks that are deleted, done or moved to one time are one command: none is touched while another is in doubt. */
function joinNamed(acts: readonly MarkedAct[]): MarkedAct[] {
  const joined = new Map<string, MarkedAct>();
  return acts.flatMap((act) => {
    const isJoined = JOINED.has(act.kind) && act.name !== '' && !readGroup(act.name) && act.except === undefined;
    const key = `${act.kind} ${act.when ?? ''}`;
    const first = isJoined ? joined.get(key) : undefined;
    if (!isJoined) return [act];
    // "rang Alan, so tick that off": one task, named once.
    if (first && (isPointing(act.name) || isPointing(first.name))) {
      if (isPointing(first.name)) first.name = act.name;
      return [];
    }
    if (first) {
      first.name = `${first.name} and ${act.name}`;
      return [];
    }
    const copy = { ...act };
    joined.set(key, copy);
    return [copy];
  });
}

function isPointing(name: string): boolean {
  return isPronoun(name) || /^(?:he|she|her|him|they|them)$/i.test(name);
}

function toCommand(act: MarkedAct, talk: MarkedTalk, confidence: number): Command | undefined {
  if (act.kind === 'add') return toCreate(act, talk, confidence);
  const group = readGroup(act.name);
  if (group || act.except !== undefined) return toGroup(act, group ?? {}, talk, confidence);
  // "the other one" is no word of a title.
  if (OTHER.test(act.name)) return undefined;
  const isPointed = act.name === '' || (POINTING.test(act.name) && talk.memory.group.length < 2);
  const ref = isPointed ? 'it' : cleanReference(/^[-−]\d/.test(act.name) ? act.name : unquote(act.name)) || 'it';
  if (act.kind === 'done') return { action: 'complete', confidence, slots: { ref } };
  if (act.kind === 'del') return { action: 'delete', confidence, slots: { ref } };
  return toUpdate(act, ref, talk, confidence);
}

/** "get the tyres on for Tuesday": the particle of a verb before a time. */
const PARTICLE = /^(on|off|up|in|out|down|over|back)\s+(?=(?:for|by|until|till|before|on|at|to)\s)/i;

function toCreate({ name: marked, when: said, text }: MarkedAct, talk: MarkedTalk, confidence: number): Command {
  const [, particle] = (startsWithVerb(marked) ? PARTICLE.exec(said ?? '') : null) ?? [];
  const name = particle === undefined ? marked : `${marked} ${particle}`;
  const when = particle === undefined ? said : said?.replace(PARTICLE, '');
  const time = when === undefined ? undefined : timeOf(when, talk);
  const whole = unquote(`${name.replace(/^(?:to|that)\s+/i, '')} ${strayOf(time, talk.zone)}`.trim())
    .replace(/\s+/g, ' ')
    .trim();
  const { title, left } = /^["“']/.test(name) ? { title: whole, left: undefined } : takeTime(whole, time, talk.zone);
  const told = [left, time].filter((part) => part !== undefined).join(' ');
  const slots = { title, ...(told !== '' && { when: told }), ...(text !== undefined && { description: text }) };
  return { action: 'create', confidence, slots, isWhole: true, isQuoted: true };
}

/** Words in front of a time that are no part of it: "tux" in "tux next Friday". */
function strayOf(time: string | undefined, zone: Zone): string {
  const found = time === undefined ? undefined : extractWhen(time, zone);
  const stray = found?.rest.trim() ?? '';
  const isStray = time?.toLowerCase().startsWith(stray.toLowerCase()) && /^[\p{L}-]{3,}$/u.test(stray);
  return isStray && topicWords(stray).length > 0 && !TIME_WORD.test(stray) ? stray : '';
}

/** A time that the reader left in a title is taken out only where it can be nothing else. */
function takeTime(title: string, time: string | undefined, zone: Zone): { title: string; left?: string | undefined } {
  const found = extractWhen(cleanText(title), zone);
  const stated = time === undefined ? undefined : extractWhen(time, zone);
  const isNew = !stated || (found?.hasTime && !found.hasDay && !stated.hasTime) || (found?.hasDay && !stated.hasDay);
  const isClear = found !== undefined && CLEAR_TIME.test(found.text) && found.rest.trim() !== '' && isNew;
  return isClear ? { title: unquote(found.rest.trim()), left: found.text } : { title };
}

function toGroup(
  act: MarkedAct,
  { filter }: { filter?: Slots['filter'] },
  talk: MarkedTalk,
  confidence: number,
): Command | undefined {
  const slots: Slots = { ...(filter && { filter }), ...(act.except !== undefined && { except: act.except }) };
  if (act.kind === 'done') return { action: 'complete', confidence, slots: { filter: 'pending', ...slots } };
  if (act.kind === 'del') return { action: 'delete', confidence, slots: { filter: 'all', ...slots } };
  if (act.kind !== 'move' || act.when === undefined) return undefined;
  const { slots: time, ...shift } = timeSlots(act.when, talk);
  return { action: 'update', confidence, ...shift, slots: { filter: 'pending', ...slots, ...time } };
}

function toUpdate(act: MarkedAct, ref: string, talk: MarkedTalk, confidence: number): Command | undefined {
  const time: Timing = act.when === undefined ? { slots: {} } : timeSlots(act.when, talk);
  const update = (slots: Slots): Command => ({
    action: 'update',
    confidence,
    ...time,
    slots: { ref, ...time.slots, ...slots },
  });
  if (act.kind === 'move') return act.when === undefined ? undefined : update({});
  if (act.kind === 'reopen') return update({ is_completed: false });
  if (act.kind === 'clear') return { action: 'update', confidence, slots: { ref, clear: 'due_date' } };
  if (act.kind === 'note') return act.text === undefined ? undefined : update({ description: act.text });
  if (act.to === undefined) return undefined;
  const renamed = newTitle(act.name, act.to, talk);
  if (!renamed) return undefined;
  return { ...update(renamed.slots), ...(renamed.task && { targets: [renamed.task], isGuess: renamed.isGuess }) };
}

interface Timing {
  slots: Slots;
  shift?: Command['shift'];
}

/** "a week later" moves a date; anything else is the new one. */
function timeSlots(when: string, talk: MarkedTalk): Timing {
  // "back a week, to the 11th": the day that is named counts.
  const [, day] = /,\s*(?:so\s+)?(?:to|on)\s+((?:the\s+)?\d{1,2}(?:st|nd|rd|th)\b.*)$/i.exec(when) ?? [];
  if (day !== undefined) return { slots: { when: timeOf(day, talk) } };
  const [, length] = SHIFT.exec(when) ?? [];
  if (length !== undefined && !/^(?:in|within|for)\b/i.test(when)) {
    if (EARLIER.test(when)) return { slots: { when: length }, shift: 'earlier' };
    if (LATER.test(when) || LENGTH.test(when)) return { slots: { when: length }, shift: 'later' };
  }
  return { slots: { when: timeOf(when, talk) } };
}

/** "same day as the dentist", "the same time as chapter 3". */
const SAME_AS = /^(?:(?:on|at|for)\s+)?(?:the\s+)?same (time|day|date) as (.+?)(?:,?\s+(?:but\s+)?(at\s+.+))?$/i;
const SAME = /^(?:(?:on|at|for)\s+)?(?:the\s+)?same (time|day|date)\b(.*)$/i;
/** Behind another time: the hour stays. */
const SAME_HOUR = /,?\s+(?:and\s+|but\s+|at\s+)*(?:the\s+)?(?:same\s+)?(?:time|hour|timing)$/i;
const DAY_AFTER = /^(?:on\s+)?(?:the (?:day after(?: that)?(?! tomorrow)|next day)|a day later)(?=$|[\s,])/i;

/** A time in words that the reader of times knows: "to 5" is an hour, "tues same time" a day. */
function timeOf(said: string, talk: MarkedTalk): string {
  const { memory } = talk;
  const [, unitAs = '', named = '', clock = ''] = SAME_AS.exec(said) ?? [];
  // Where that task is not found, the time is not known.
  if (named !== '') return `${whenOfNamed(named, unitAs, talk) ?? 'same day'}${clock && ` ${clock}`}`;
  const [, unit, rest = ''] = SAME.exec(said) ?? [];
  if (unit !== undefined) return `${whenOfLast(memory, unit) ?? said}${rest}`;
  const isSameHour = SAME_HOUR.test(said);
  const last = DAY_AFTER.test(said) ? whenOfLast(memory, isSameHour ? 'time' : 'day') : undefined;
  if (last !== undefined) return said.replace(SAME_HOUR, '').replace(DAY_AFTER, dayAfter(last));
  const when = cleanText(said)
    .replace(/^(?:both|all|each|say|now|actually|to|for|due|be)\s+(?=\S)/gi, '')
    .replace(/^(?:to|for|due|be)\s+(?=\S)/i, '')
    .replace(SAME_HOUR, '')
    .replace(DAY_MONTH, (_, day: string, month: string) => `${day} ${MONTHS[Number(month) - 1]}`)
    .replace(/^(\d{1,2})[ .](\d\d)$/, '$1:$2')
    .replace(/((?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight) )(\d{1,2})$/i, '$1at $2');
  return HOUR.test(when) ? `at ${when}` : when;
}

/** The time of the task that some words name. */
function whenOfNamed(named: string, unit: string, { tasks, memory }: MarkedTalk): string | undefined {
  const found = resolveReference(cleanReference(named), tasks, { ordered: [], last: memory.last });
  const task = found.kind === 'one' && found.how !== 'overlap' ? found.item : undefined;
  return task && whenOfLast({ ...memory, changes: [{ action: 'update', task }] }, unit);
}

/** "2026-11-24 at 16:45" → "2026-11-25 at 16:45". */
function dayAfter(when: string): string {
  const next = new Date(Date.parse(when.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10);
  return `${next}${when.slice(10)}`;
}
