import type { Moment } from '../../../language/moments.ts';
import { extractWhen } from '../../../language/when.ts';
import { today, withOffset, type Zone } from '../../../language/zoned-time.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';
import type { MessageValues } from './values/message-values.ts';

const BEGIN =
  /^(?:start|starting|from|begin|beginning|since|after|departure|depart|checkin|in|pickup|outbound|leaving|t0|min|open)$/;
const END = /^(?:end|ending|to|until|till|before|return|returning|checkout|out|dropoff|inbound|t1|max|close|finish)$/;

/** "back on the 7th", "returning Sunday". */
const BACK = /\b(?:back|home|return(?:ing|s)?|until|till|through)\s+(?:on\s+|by\s+|around\s+)?(?:the\s+)?$/i;

/** Days, times and both: of several, the first belongs to the argument that begins and the last to the one that ends. */
export const readMoments: CandidateReader = (profile, values, { context, all }) => {
  if (isMonth(profile)) return readMonths(values, context.zone);
  const weekdays = readWeekdays(profile, values);
  if (weekdays.length > 0) return weekdays;
  const fitting = values.moments.filter((moment) => fits(profile, moment));
  const role = stayRole(profile, all) ?? roleOf(profile);
  const hasPair = all.some((other) => other !== profile && roleOf(other) !== undefined && other.kind === profile.kind);
  const labels = labelsOf(profile, values.text);
  const found = fitting.flatMap((moment, index) => {
    const value = format(profile, moment, { values, zone: context.zone, moments: values.moments });
    if (value === undefined) return [];
    const isLast = index === fitting.length - 1;
    const suits = role === 'end' ? isLast && (fitting.length > 1 || !hasPair) : index === 0;
    const isBack = role === 'end' && BACK.test(values.text.slice(0, moment.at));
    const named = isBack || nearLabel(labels, values.text, moment) > 0 ? 0.08 : 0;
    const score = (suits || isBack ? SURE.shaped : SURE.likely) + named;
    return [{ value, ...placeOf(profile, moment, values.text), score }];
  });
  return found.length > 0 ? found : readSpan(profile, values, context.zone);
};

const WEEKDAY = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/gi;

/** "open on Sundays" where a weekday is asked for. */
function readWeekdays({ argument }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  if (!/\bweekday\b|\bday of the week\b/i.test(String(argument.schema.description ?? ''))) return [];
  return [...text.matchAll(WEEKDAY)].map((match) => {
    const name = match[0].toLowerCase().replace(/s$/, '');
    return {
      value: name.slice(0, 1).toUpperCase() + name.slice(1),
      at: match.index,
      length: match[0].length,
      score: SURE.shaped,
    };
  });
}

/** "Month as YYYY-MM". */
function isMonth({ argument }: ArgumentProfile): boolean {
  return /\byyyy-mm\b(?!-)/i.test(String(argument.schema.description ?? ''));
}

const MONTH_NAME =
  /\b(this|last|next)\s+month\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?=\b))(?:\s+(\d{4}))?\b/gi;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const HALF_A_YEAR = 6;

/** A month without a year is the closest one. */
function readMonths({ text }: MessageValues, zone: Zone): Candidate[] {
  const now = today(zone);
  const current = Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1;
  return [...text.matchAll(MONTH_NAME)].map((match) => {
    const shift = { last: -1, this: 0, next: 1 }[String(match[1]).toLowerCase()];
    const month = MONTHS.indexOf(String(match[2]).slice(0, 3).toLowerCase());
    const near = current - ((((current - month + HALF_A_YEAR) % 12) + 12) % 12) + HALF_A_YEAR;
    const at = shift !== undefined ? current + shift : match[3] ? Number(match[3]) * 12 + month : near;
    const value = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return { value, at: match.index, length: match[0].length, score: SURE.shaped };
  });
}

function fits({ kind }: ArgumentProfile, { day, time }: Moment): boolean {
  if (kind === 'date') return day !== undefined;
  if (kind === 'time') return time !== undefined;
  return true;
}

/** A day and its time may go to two arguments: each claims its end of the words. */
function placeOf(
  { kind }: ArgumentProfile,
  { at, length, day, time }: Moment,
  text: string,
): { at: number; length: number } {
  // "Wednesday evening" may be a day and an option.
  const part = /\s+(?:morning|afternoon|evening|night)$/i.exec(text.slice(at, at + length))?.[0].length ?? 0;
  if (kind === 'moment' || day === undefined || time === undefined)
    return { at, length: length - (kind === 'date' ? part : 0) };
  return kind === 'date' ? { at, length: 1 } : { at: at + length - 1, length: 1 };
}

/** Guests arrive first and depart last; trains do it the other way round. */
function stayRole({ kind, words }: ArgumentProfile, all: readonly ArgumentProfile[]): 'begin' | 'end' | undefined {
  const has = (name: RegExp) =>
    all.some((other) => other.kind === 'date' && other.words.some((word) => name.test(word)));
  if (kind !== 'date' || !has(/^arriv(?:al|e)$/) || !has(/^depart(?:ure)?$/)) return undefined;
  return words.some((word) => /^arriv/.test(word))
    ? 'begin'
    : words.some((word) => /^depart/.test(word))
      ? 'end'
      : undefined;
}

function roleOf({ kind, words }: ArgumentProfile): 'begin' | 'end' | undefined {
  if (kind !== 'date' && kind !== 'time' && kind !== 'moment') return undefined;
  if (words.some((word) => END.test(word))) return 'end';
  return words.some((word) => BEGIN.test(word)) ? 'begin' : undefined;
}

interface FormatOptions {
  values: MessageValues;
  zone: Zone;
  moments: readonly Moment[];
}

/** Writes a moment as the argument's description asks; without a wish as the task tools do. */
function format(
  { kind, argument }: ArgumentProfile,
  moment: Moment,
  { zone, moments }: FormatOptions,
): string | undefined {
  const description = String(argument.schema.description ?? '');
  const day = moment.day ?? (kind === 'moment' ? moments.find((other) => other.day !== undefined)?.day : undefined);
  if (kind === 'time') return moment.time === undefined ? undefined : formatTime(moment.time, description);
  if (day === undefined) return undefined;
  if (kind === 'date') return formatDay(day, description);
  const time = moment.time ?? timeBeside(moment, moments);
  if (/\byyyy-mm-dd[t ]hh:mm(?!:?\s?ss|z|:)/i.test(description))
    return `${day}${/\d{0}dd hh/i.test(description) ? ' ' : 'T'}${time ?? '00:00'}`;
  if (/Z'?|UTC|ISO/.test(description)) return `${day}T${time ?? '00:00'}:00Z`;
  if (time === undefined) return day;
  return withOffset(day, Number(time.slice(0, 2)), Number(time.slice(3)), zone.timezone);
}

/** "on Friday … at 3 pm": the time that was named apart from the day. */
function timeBeside(moment: Moment, moments: readonly Moment[]): string | undefined {
  const times = moments.filter((other) => other.day === undefined && other.time !== undefined);
  return times.length === 1 && moment.time === undefined ? times[0]?.time : undefined;
}

function formatDay(day: string, description: string): string {
  if (/\bweekday\b|\bday of the week\b/i.test(description))
    return new Date(day).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const [year = '', month = '', date = ''] = day.split('-');
  const wanted = /\b(?:yyyy|yy|mm|dd)(?:[-/.](?:yyyy|yy|mm|dd)){2}\b/i.exec(description)?.[0];
  if (!wanted) return day;
  return wanted
    .replace(/yyyy/i, year)
    .replace(/\byy\b/i, year.slice(2))
    .replace(/mm/i, month)
    .replace(/dd/i, date);
}

function formatTime(time: string, description: string): string {
  if (!/\b(?:AM|PM)\b|12-hour/.test(description) || /24-hour/.test(description)) return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}:${time.slice(3)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** "this weekend", "by the end of the month": spans that only the reader of tasks knows. */
function readSpan({ kind, argument }: ArgumentProfile, { text }: MessageValues, zone: Zone): Candidate[] {
  if (kind === 'time' || !/\b(?:week|weekend|month|day|\d+(?:st|nd|rd|th))\b/i.test(text)) return [];
  const when = extractWhen(text, zone);
  if (!when) return [];
  const value =
    kind === 'date' ? formatDay(when.due.slice(0, 10), String(argument.schema.description ?? '')) : when.due;
  return [{ value, at: Math.max(0, text.indexOf(when.text)), length: when.text.length, score: SURE.described }];
}
