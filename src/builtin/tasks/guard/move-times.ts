import { extractWhen, mergeDue, type When } from '../../../language/when.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';
import type { KnownTask } from '../known-task.ts';
import { DURATION } from '../plan/shift-due.ts';
import type { ChangeCommand } from '../task-context.ts';
import { MARK } from './move-words.ts';

/** Before a time that no longer holds, or never did. */
const FORMER = String.raw`(?:not|instead of|rather than|from|was|wasn't|isn't|and not|no longer|used to be)\s+(?:on\s+|at\s+|for\s+|the\s+|by\s+)*`;
const NUMBER_WORDS = '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const NUMBER = new RegExp(`^(?:\\d{1,2}|${NUMBER_WORDS})$`, 'i');

/** The task or the tasks that a message may move, and its reading. */
export interface Move {
  command: ChangeCommand;
  tasks: readonly KnownTask[];
  /** Only a probability speaks for it. */
  isGuess: boolean;
}

/** The message with a sign for each time, and without times that no longer hold. */
export function markTimes(
  text: string,
  { command, tasks }: Move,
  zone: Zone,
): { marked: string; times: (When | undefined)[]; isCorrected: boolean } {
  const {
    shift,
    slots: { when = '' },
  } = command;
  const times: (When | undefined)[] = [];
  let marked = withoutOwnDay(text, tasks);
  const mark = (found: string, time: When | undefined) => {
    const at = placeOf(found, marked);
    if (at < 0) return false;
    times.push(time);
    marked = `${marked.slice(0, at)} ${MARK}${times.length - 1}${MARK} ${marked.slice(at + found.length)}`;
    return true;
  };
  if (shift !== undefined) mark(new RegExp(DURATION, 'i').exec(marked)?.[0] ?? when, undefined);
  for (let found = extractWhen(marked, zone); found && times.length < 4; found = extractWhen(marked, zone))
    if (!mark(found.text, found)) break;
  // "make it 7": an hour, for a task that has one.
  const [, hour] = new RegExp(`^(?:at )?(\\d{1,2}(?:[:.]\\d\\d)?|${NUMBER_WORDS})$`, 'i').exec(when) ?? [];
  const hasHour = tasks.every(({ due_date = '' }) => due_date.includes('T'));
  if (hour !== undefined && hasHour && !times.some((time) => time === undefined || time.hasTime)) {
    const open = marked.replace(new RegExp(`${MARK}\\d${MARK}`, 'g'), (sign) => '\u0003'.repeat(sign.length));
    const at = new RegExp(
      String.raw`(?<![\p{L}\d:.])${hour.replace('.', '\\.')}(?![\d:.\p{L}]|\s+(?:is|was)\b)`,
      'u',
    ).exec(open)?.index;
    if (at !== undefined) {
      times.push(undefined);
      marked = `${marked.slice(0, at)} ${MARK}${times.length - 1}${MARK} ${marked.slice(at + hour.length)}`;
    }
  }
  if (times.length === 0 && when !== '') mark(when, extractWhen(when, zone));
  const time = `(?:${MARK}\\d${MARK}|\\d{1,2}\\b|(?<!the )${NUMBER_WORDS}\\b(?= *(?:[,.;!]|$|is\\b|was\\b)))`;
  const former = new RegExp(String.raw`,?\s*\b${FORMER}\s*${time}|${time}\s+(?:is|was)\s+(?:too \w+|no good)`, 'gi');
  const now = marked.replace(former, ' ');
  return { marked: now, times, isCorrected: now !== marked };
}

/** Where some words stand in a text, and not inside of a longer word. */
function placeOf(words: string, text: string): number {
  const bare = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\d])${bare}(?![\\p{L}\\d])`, 'u').exec(text)?.index ?? -1;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** "Monday's gym" is the gym, if it is due on a Monday. */
function withoutOwnDay(text: string, tasks: readonly KnownTask[]): string {
  return text.replace(/\b(\p{L}+day)'s\b/giu, (whole, day: string) => {
    const index = WEEKDAYS.indexOf(day.toLowerCase());
    const isDue = ({ due_date = '' }: KnownTask) => new Date(due_date.slice(0, 10)).getUTCDay() === index;
    return index >= 0 && tasks.every(isDue) ? '' : whole;
  });
}

/** The time of a clause: one, or a day and an hour. Another than the command has replaces it. */
export function timeOf(
  order: string,
  times: readonly (When | undefined)[],
  {
    command: {
      shift,
      slots: { when = '' },
    },
    tasks,
  }: Move,
  zone: Zone,
): { when?: string } | undefined {
  const mine = [...order.matchAll(new RegExp(`${MARK}(\\d)${MARK}`, 'g'))].map(([, index]) => times[Number(index)]);
  const hasHour = tasks.every(({ due_date = '' }) => due_date.includes('T'));
  // "make that two" need not be an hour.
  const isBareNumber = mine.some((time) => time !== undefined && !time.hasDay && NUMBER.test(time.text));
  if (!hasHour && isBareNumber && !/\b(?:at|by|around|before) +\u0002/i.test(order)) return undefined;
  if (shift !== undefined || mine.some((time) => time === undefined)) return mine.length === 1 ? {} : undefined;
  // "Friday's gym to Monday": the time that the tasks have now.
  const found = mine.flatMap((time) => time ?? []);
  const fresh = found.filter(
    (time) => found.length === 1 || !tasks.every(({ due_date }) => due_date?.startsWith(time.due)),
  );
  const [one, other, third] = fresh;
  // "was on Tuesday last year": what is over is no new time.
  if (!one || third || (one.hasDay && one.due < today(zone))) return undefined;
  if (other) return one.hasDay !== other.hasDay ? {} : undefined;
  const said = extractWhen(when, zone);
  const isSame = said && mergeDue(undefined, said, zone) === mergeDue(undefined, one, zone);
  if (/\b(?:after|same|later|that)\b/i.test(one.text)) return {};
  return isSame || !said ? {} : said.hasDay === one.hasDay && said.hasTime === one.hasTime ? { when: one.text } : {};
}
