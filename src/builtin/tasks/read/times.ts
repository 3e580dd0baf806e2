import { cleanText } from '../../../language/clean-text.ts';
import { DURATION } from '../../../language/durations.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command, Slots } from '../command.ts';
import type { KnownTask } from '../known-task.ts';
import { cleanReference } from '../reference.ts';
import { resolve } from '../resolve.ts';
import type { TaskMemory } from '../task-memory.ts';

/** The tasks, the conversation and the clock that a message is read in. */
export interface Scene {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
  zone: Zone;
}

export interface Timing {
  slots: Slots;
  shift?: Command['shift'];
}

const SHIFT = new RegExp(`(${DURATION})`, 'i');
const LENGTH = new RegExp(`^(?:by |another )?${DURATION}$`, 'i');
const EARLIER = /\b(?:earlier|sooner|forward|up|before)\b/i;
const LATER = /\b(?:later|back|more|after|longer|by|another)\b/i;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** "31.12", "5.1.": a day and a month with points; "5.30" is a time. */
const DAY_MONTH = /\b(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])(?:\.(?!\d)|(?<=(?:2[4-9]|3[01])\.\d{1,2})(?![.\d]))/;
const HOUR = /^(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i;

/** "a week later" moves a date; anything else is the new one. */
export function timeSlots(when: string, scene: Scene): Timing {
  // "back a week, to the 11th": the day that is named counts.
  const [, day] = /,\s*(?:so\s+)?(?:to|on)\s+((?:the\s+)?\d{1,2}(?:st|nd|rd|th)\b.*)$/i.exec(when) ?? [];
  if (day !== undefined) return { slots: { when: timeOf(day, scene) } };
  const [, length] = SHIFT.exec(when) ?? [];
  if (length !== undefined && !/^(?:in|within|for)\b/i.test(when)) {
    if (EARLIER.test(when)) return { slots: { when: length }, shift: 'earlier' };
    if (LATER.test(when) || LENGTH.test(when)) return { slots: { when: length }, shift: 'later' };
  }
  return { slots: { when: timeOf(when, scene) } };
}

/** "same day as the dentist", "the same time as chapter 3". */
const SAME_AS = /^(?:(?:on|at|for)\s+)?(?:the\s+)?same (time|day|date) as (.+?)(?:,?\s+(?:but\s+)?(at\s+.+))?$/i;
const SAME = /^(?:(?:on|at|for)\s+)?(?:the\s+)?same (time|day|date)\b(.*)$/i;
/** Behind another time: the hour stays. */
const SAME_HOUR = /,?\s+(?:and\s+|but\s+|at\s+)*(?:the\s+)?(?:same\s+)?(?:time|hour|timing)$/i;
const DAY_AFTER = /^(?:on\s+)?(?:the (?:day after(?: that)?(?! tomorrow)|next day)|a day later)(?=$|[\s,])/i;

/** A time in words that the reader of times knows: "to 5" is an hour, "tues same time" a day. */
export function timeOf(said: string, scene: Scene): string {
  const { memory } = scene;
  const [, unitAs = '', named = '', clock = ''] = SAME_AS.exec(said) ?? [];
  // Where that task is not found, the time is not known.
  if (named !== '') return `${whenOfNamed(named, unitAs, scene) ?? 'same day'}${clock && ` ${clock}`}`;
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
function whenOfNamed(named: string, unit: string, { tasks, memory }: Scene): string | undefined {
  const found = resolve(cleanReference(named), tasks, memory);
  const [task] = found.kind === 'found' && found.how !== 'similar' ? found.tasks : [];
  return task && whenOfLast({ ...memory, changes: [{ action: 'update', task }] }, unit);
}

/** "2026-11-24 at 16:45" → "2026-11-25 at 16:45". */
function dayAfter(when: string): string {
  const next = new Date(Date.parse(when.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10);
  return `${next}${when.slice(10)}`;
}

/** The time of the task that was changed last, in words that are read back as the same time. */
export function whenOfLast({ changes }: TaskMemory, unit: string): string | undefined {
  const due = changes.find(({ task }) => task.due_date !== undefined)?.task.due_date;
  const [, day = '', time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(due ?? '') ?? [];
  if (day === '') return undefined;
  return time === undefined || !/time/i.test(unit) ? day : `${day} at ${time}`;
}
