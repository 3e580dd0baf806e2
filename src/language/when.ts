import { casual, type ParsedResult } from 'chrono-node/en';
import { findRange } from './date-ranges.ts';
import { type FoundDay, findDay } from './day-rules.ts';
import { type ClockTime, readTime, TIME_ALONE, TIME_BEFORE, TIME_BEHIND } from './time-of-day.ts';
import { addDays, clockNow, today, withOffset, type Zone } from './zoned-time.ts';

/** A time found in a text. */
export interface When {
  /** The matched words, without a leading "by" or "on". */
  text: string;
  /** The text without the matched words. */
  rest: string;
  /** A day, or an instant with its offset if the text names a time of day. */
  due: string;
  /** The range of days when the text asks for a list: a single day, a week, a month or a year. */
  from: string;
  to: string;
  /** False for a time of day alone, such as "at 4pm". */
  hasDay: boolean;
  hasTime: boolean;
  /** True for a week, a month or a year. */
  isRange: boolean;
}

const LEAD = String.raw`(?:(?:due|starting|sometime|ideally|preferably|later|which is|(?:the )?(?:due date|deadline)(?: is)?|with (?:an? |the )?(?:due date|deadline)(?: of| on| for)?)[\s:]+)*(?:(?:due|by|on|at|for|before|until|till|from|(?:no|not) later than|latest by|around)[\s:]+)?`;
const STRIP_LEAD = new RegExp(`^${LEAD}(?:the (?=\\w+ of\\b|weekend))?`, 'i');
const BEFORE = new RegExp(`(?:^|(?<=[\\s,;(]))(${LEAD})(?:the\\s+)?$`, 'i');
/** Words that occur in titles as often as in dates. */
const DOUBTFUL = /^(?:sun|sat|mon|tue|wed|thu|fri|may|march|mar|jan|dec|oct|second|now|\d+|\d+(?:\.\d+)?|christmas)$/i;
const PLAIN = /\b(?:week|month|days?|hours?|minutes?|years?)\b/i;
/** Times that follow "in". */
const IN_TIME = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|morning|afternoon|evening)/i;
/** Days relative to today, with a part of the day. */
const NEAR_DAY =
  /\b(?:(today|tomorrow|tonight)(?:\s+(?:in the\s+)?(morning|afternoon|evening|night))?|(this)\s+(morning|afternoon|evening)|in the (morning|afternoon|evening)(?=\W*$))\b(?!['’]s\b)/gi;

/** Finds the time in a command. Ignores quoted text. */
export function extractWhen(text: string, zone: Zone): When | undefined {
  const open = text.replace(/"[^"]*"|“[^”]*”|(?<=^|\s)'[^']*'(?=$|[\s.,!?;:)])/g, (quoted) =>
    '\u0001'.repeat(quoted.length),
  );
  const now = today(zone);
  const range = findRange(open, now);
  const exact = findDay(open, now);
  const near = findNearDay(open, now);
  // "a week from today" holds "today".
  const isInExact = exact && near && exact.start <= near.start && exact.end >= near.end;
  const day = exact && (isInExact || near?.isOpen) ? exact : (near ?? exact);
  const isWider = range && day && range.start <= day.start && range.end >= day.end;
  if (day && !isWider) return withTime(text, open, { day, zone });
  if (range)
    return {
      ...cut(text, open, range),
      ...pick(range),
      hasDay: true,
      hasTime: false,
      isRange: range.from !== range.to,
    };
  return findTime(text, open, zone) ?? findMoment(text, open, zone);
}

const pick = ({ from, to, due }: { from: string; to: string; due: string }) => ({ from, to, due });

function findNearDay(text: string, now: string): FoundDay | undefined {
  const matches = [...text.matchAll(NEAR_DAY)].filter(
    ({ index }) => !/\b(?:every|each)\s+$/i.test(text.slice(0, index)) && !/day after $/i.test(text.slice(0, index)),
  );
  // "tomorrow at 8 in the morning": the part of the day belongs to the day.
  const match = matches.findLast((one) => one[5] === undefined) ?? matches.at(-1);
  if (!match) return undefined;
  const day = /^tomorrow$/i.test(match[1] ?? '') ? addDays(now, 1) : now;
  return { start: match.index, end: match.index + match[0].length, day, isOpen: match[5] !== undefined };
}

/** A day, with the time of day next to it. */
function withTime(text: string, open: string, { day, zone }: { day: FoundDay; zone: Zone }): When {
  const behind = TIME_BEHIND.exec(open.slice(day.end));
  const before = behind ? null : TIME_BEFORE.exec(open.slice(0, day.start));
  const words = behind ?? before;
  const period = /morning|afternoon|evening|tonight|night/i.exec(open.slice(day.start, day.end))?.[0] ?? '';
  const time = words
    ? readTime(`${words[0].replace(/^[\s,]*(?:(?:at|@|by|around|before|until|from|to)\s*)?/i, '')} ${period}`)
    : undefined;
  const isUsed = time !== undefined;
  const place = {
    start: isUsed && before ? day.start - before[0].length : day.start,
    end: isUsed && behind ? day.end + behind[0].length : day.end,
  };
  // "7 in the morning" names no day: it is the next time that the clock shows it.
  const isPast = day.isOpen === true && time !== undefined && time <= clockNow(zone);
  const date = isPast ? addDays(day.day, 1) : day.day;
  const due = time === undefined ? date : at(date, time, zone);
  return {
    ...cut(text, open, place),
    due,
    from: date,
    to: date,
    hasDay: !day.isOpen || time === undefined,
    hasTime: isUsed,
    isRange: false,
  };
}

/** A time of day alone means its next occurrence. */
function findTime(text: string, open: string, zone: Zone): When | undefined {
  for (const match of [...open.matchAll(TIME_ALONE)].reverse()) {
    const [all, clear, bare] = match;
    const isAtEnd = /^\W*(?:please|pls|thanks|instead|sharp|today)?\W*$/i.test(open.slice(match.index + all.length));
    const time = readTime(all.replace(STRIP_LEAD, '').replace(/^(?:@|to)\s*/i, ''));
    if (time === undefined || (clear === undefined && !(bare !== undefined && isAtEnd))) continue;
    const now = today(zone);
    const day = time > clockNow(zone) ? now : addDays(now, 1);
    const place = { start: match.index, end: match.index + all.length };
    return {
      ...cut(text, open, place),
      due: at(day, time, zone),
      from: day,
      to: day,
      hasDay: false,
      hasTime: true,
      isRange: false,
    };
  }
  return undefined;
}

/** Lengths of time ("in 3 days") and rarer forms, read by chrono. */
function findMoment(text: string, open: string, zone: Zone): When | undefined {
  const reference = { instant: zone.now, timezone: zone.offset };
  const results = casual.parse(open, reference, { forwardDate: true });
  const result = results.toReversed().find((candidate) => isMeantAsTime(open, candidate));
  if (!result) return undefined;
  const isIn = IN_TIME.test(result.text) ? /(?:in\s+)$/i.exec(open.slice(0, result.index))?.[0].length : 0;
  const place = { start: result.index - (isIn ?? 0), end: result.index + result.text.length };
  const due = dueOf(result, zone);
  const day = due.slice(0, 10);
  const hasTime = result.start.isCertain('hour');
  return { ...cut(text, open, place), due, from: day, to: day, hasDay: true, hasTime, isRange: false };
}

function isMeantAsTime(text: string, { index, text: words }: ParsedResult): boolean {
  const after = text.slice(index + words.length);
  const before = text.slice(0, index);
  if (/^['’]/.test(after) || /\b(?:every|each)\s+$/i.test(before)) return false;
  // "the day before" counts from a day that the text names elsewhere, not from today.
  if (/^(?:the )?day before$|^\d+[a-z]$/i.test(words.trim())) return false;
  const isLed = /\b(?:due|by|on|at|for|before|until|till|in|from|date|deadline)\s+(?:the\s+)?$/i.test(before);
  if (DOUBTFUL.test(words.trim())) return isLed && /^\W*$/.test(after) && !/^\d+$/.test(words.trim());
  const isAtEdge = /^\W*(?:please|pls|thanks)?\W*$/i.test(after) || before.trim() === '';
  return isAtEdge || PLAIN.test(words);
}

/** The matched words and the text without them and without a leading "by" or "due on". */
function cut(text: string, open: string, { start, end }: { start: number; end: number }): Pick<When, 'text' | 'rest'> {
  const lead = BEFORE.exec(open.slice(0, start))?.[0].length ?? 0;
  const words = text.slice(start, end);
  const tail = /^\s*(?:on|instead)?(?=\W*$)/i.exec(open.slice(end))?.[0].length ?? 0;
  return {
    text: words
      .trim()
      .replace(STRIP_LEAD, '')
      .replace(/[\s,.;]+$/, ''),
    rest: `${text.slice(0, start - lead)} ${text.slice(end + tail)}`.replace(/\s+/g, ' ').trim(),
  };
}

function at(day: string, time: ClockTime, { timezone }: Zone): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return withOffset(day, hour, minute, timezone);
}

function dueOf({ start }: ParsedResult, { timezone }: Zone): string {
  const pad = (value: number | null, size = 2) => String(value ?? 0).padStart(size, '0');
  const day = `${pad(start.get('year'), 4)}-${pad(start.get('month'))}-${pad(start.get('day'))}`;
  if (!start.isCertain('hour')) return day;
  return withOffset(day, start.get('hour') ?? 0, start.get('minute') ?? 0, timezone);
}

/** A new due date in place of an old one: the part that was not said is kept. */
export function mergeDue(before: string | undefined, when: When, zone: Zone): string {
  if (before === undefined || when.isRange) return when.due;
  const [, day = '', time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(before) ?? [];
  const said = when.hasTime ? when.due.slice(11, 16) : undefined;
  if (!when.hasDay && said !== undefined) return at(day, said, zone);
  const date = inMonthOf(day, when);
  if (date !== undefined) return (said ?? time) === undefined ? date : at(date, said ?? time ?? '', zone);
  return when.hasTime || time === undefined ? when.due : at(when.due.slice(0, 10), time, zone);
}

/** "the 20th" for a task of 18 December is the 20th of December, not the next 20th; "the 30th" for one of 1 December is that of November. */
function inMonthOf(day: string, { text, due }: Pick<When, 'text' | 'due'>): string | undefined {
  if (!/^(?:the\s+)?\d{1,2}(?:st|nd|rd|th)(?=$|[\s,])(?! of)/i.test(text)) return undefined;
  const date = `${day.slice(0, 8)}${due.slice(8, 10)}`;
  const isReal = new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) === date;
  const distance = (other: string) => Math.abs(Date.parse(other) - Date.parse(day.slice(0, 10)));
  return isReal && date > due.slice(0, 10) && distance(date) <= distance(due.slice(0, 10)) ? date : undefined;
}
