import { casual, type ParsedResult } from 'chrono-node/en';
import { addDays, today, weekday, withOffset, type Zone } from './zoned-time.ts';

/** A time that was found in a text. */
export interface When {
  /** The words, without a leading "by" or "on". */
  text: string;
  /** The text without them. */
  rest: string;
  /** A day, or an instant with its offset where a time of day was named. */
  due: string;
  /** The days meant when asking for a list: one, or a week. */
  from: string;
  to: string;
}

const LEAD = String.raw`(?:(?:due|by|on|at|for|before|until|till|starting|from|no later than|around|sometime|later|which is due|with (?:an? )?(?:due date|deadline)(?: of| on| for)?)\s+)*`;
const SPAN_WORDS =
  /^(this|next|the|coming|following|end of(?: the| this)?|by the end of(?: the| this)?)\s+(?:coming\s+)?(week|weekend|month)$/i;
const SPAN = String.raw`\b(?:(?:this|next|the (?:coming|following)|(?:by )?(?:the )?end of (?:the|this))\s+(?:week|weekend|month))\b`;
const END_OF_DAY = String.raw`\b(?:eod|end of (?:the )?day|(?:the )?end of today)\b`;
const DAY_OF_MONTH =
  /(?<![^\s,;])(?:(?:due|by|on|before|until|till|for|no later than)\s+)+(the\s+(\d{1,2})(?:st|nd|rd|th)(?:\s+of\s+(this|next|the)\s+month)?)(?=\W*$)/i;
/** Words that are as often part of a title as a date. */
const DOUBTFUL = /^(?:sun|sat|mon|tue|wed|thu|fri|may|march|mar|jan|dec|oct|second|now|\d+|\d+(?:\.\d+)?|christmas)$/i;
const PLAIN =
  /\b(?:today|tomorrow|tmrw|tmr|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|days?|hours?|minutes?|noon|midnight|[ap]m)\b/i;

/** Said with "in". */
const IN_TIME = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|morning|afternoon|evening)/i;

/** Finds the time that a command names: at its end, at its start, or a plain time word between. Quoted text is left alone. */
export function extractWhen(text: string, zone: Zone): When | undefined {
  return findDayOfMonth(text, zone) ?? findSpan(text, zone) ?? findMoment(text, zone);
}

/** "by the 1st", "on the 20th of next month": the next day of that number. */
function findDayOfMonth(text: string, zone: Zone): When | undefined {
  const match = DAY_OF_MONTH.exec(text);
  if (!match || isQuoted(text, match.index)) return undefined;
  const [all, words = '', number = '', which = ''] = match;
  const now = today(zone);
  const [year = 0, month = 1] = now.split('-').map(Number);
  const first = which.toLowerCase() === 'next' ? 1 : 0;
  for (let offset = first; offset < first + 3; offset++) {
    const date = new Date(Date.UTC(year, month - 1 + offset, Number(number)));
    const day = date.toISOString().slice(0, 10);
    if (date.getUTCDate() === Number(number) && day >= now)
      return { text: words, rest: cutOut(text, match.index, all.length), due: day, from: day, to: day };
  }
  return undefined;
}

function findSpan(text: string, zone: Zone): When | undefined {
  const match = new RegExp(`${LEAD}(?:${SPAN}|${END_OF_DAY})(?!['’])`, 'i').exec(text);
  if (!match || isQuoted(text, match.index)) return undefined;
  const words = stripLead(match[0]);
  const days = spanDays(words, today(zone));
  return { text: words, rest: cutOut(text, match.index, match[0].length), ...days };
}

function spanDays(words: string, day: string): { due: string; from: string; to: string } {
  const match = SPAN_WORDS.exec(words.replace(/\s+/g, ' '));
  if (!match) return { due: day, from: day, to: day };
  const [, which = '', unit = ''] = match;
  const isNext = /next|coming|following/i.test(which);
  const monday = addDays(day, -weekday(day) + (isNext && unit !== 'month' ? 7 : 0));
  if (/^weekend$/i.test(unit)) return weekendDays(day, monday);
  const [from, to] = /^week$/i.test(unit) ? [monday, addDays(monday, 6)] : monthDays(day, isNext);
  return { due: isNext ? from : to, from, to };
}

function weekendDays(day: string, monday: string): { due: string; from: string; to: string } {
  const from = addDays(monday, 5);
  return { due: day > from ? day : from, from, to: addDays(monday, 6) };
}

function monthDays(day: string, isNext: boolean): [string, string] {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const first = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
  return isNext ? [first(1), addDays(first(2), -1)] : [first(0), addDays(first(1), -1)];
}

function findMoment(text: string, zone: Zone): When | undefined {
  const reference = { instant: zone.now, timezone: zone.offset };
  const results = casual.parse(text, reference, { forwardDate: true });
  const result = results.toReversed().find((candidate) => isMeantAsTime(text, candidate));
  if (!result) return undefined;
  const { start, length, words } = widen(text, result);
  const due = dueOf(result, zone);
  const day = due.slice(0, 10);
  return { text: words, rest: cutOut(text, start, length), due, from: day, to: day };
}

function isMeantAsTime(text: string, { index, text: words }: ParsedResult): boolean {
  const after = text.slice(index + words.length);
  const before = text.slice(0, index);
  if (/^['’]/.test(after) || /\b(?:every|each)\s+$/i.test(before) || isQuoted(text, index)) return false;
  const isLed = /\b(?:due|by|on|at|for|before|until|till|in|from|date|deadline)\s+(?:the\s+)?$/i.test(before);
  if (DOUBTFUL.test(words.trim())) return isLed && /^\W*$/.test(after) && !/^\d+$/.test(words.trim());
  const isAtEdge = /^\W*(?:please|pls|thanks)?\W*$/i.test(after) || before.trim() === '';
  return isAtEdge || PLAIN.test(words);
}

/** The words with their "by", "due on" before them. */
function widen(text: string, result: ParsedResult): { start: number; length: number; words: string } {
  const before = text.slice(0, result.index);
  const isIn = IN_TIME.test(result.text) ? '(?:in\\s+)?' : '';
  const lead = new RegExp(`(?:^|\\s)(${LEAD}${isIn}(?:the\\s+)?)$`, 'i').exec(before)?.[1] ?? '';
  const start = result.index - lead.length;
  const length = lead.length + result.text.length;
  return { start, length, words: stripLead(result.text) };
}

function stripLead(words: string): string {
  return words
    .replace(new RegExp(`^${LEAD}`, 'i'), '')
    .replace(/[\s,.;]+$/, '')
    .trim();
}

function dueOf({ start }: ParsedResult, { timezone }: Zone): string {
  const pad = (value: number | null, size = 2) => String(value ?? 0).padStart(size, '0');
  const day = `${pad(start.get('year'), 4)}-${pad(start.get('month'))}-${pad(start.get('day'))}`;
  if (!start.isCertain('hour')) return day;
  return withOffset(day, start.get('hour') ?? 0, start.get('minute') ?? 0, timezone);
}

function isQuoted(text: string, index: number): boolean {
  const quotes = [...text.matchAll(/(["“”])|(?<=^|\s)'|'(?=$|[\s.,!?])/g)].map((match) => match.index);
  return quotes.filter((at) => at < index).length % 2 === 1 && quotes.some((at) => at > index);
}

function cutOut(text: string, start: number, length: number): string {
  return `${text.slice(0, start)} ${text.slice(start + length)}`.replace(/\s+/g, ' ').trim();
}
