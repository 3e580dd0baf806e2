import type { Moment } from '../../../language/moments.ts';
import { today, withOffset, type Zone } from '../../../language/zoned-time.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type MessageValues, type Span, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';

type End = 'begin' | 'end' | undefined;

const BEGIN =
  /^(?:start|starting|from|begin|beginning|since|after|departure|depart|checkin|in|pickup|outbound|leaving|t0|min|open)$/;
const END = /^(?:end|ending|to|until|till|before|return|returning|checkout|out|dropoff|inbound|t1|max|close|finish)$/;
/** "back on the 7th", "returning Sunday". */
const BACK = /\b(?:back|home|return(?:ing|s)?|until|till|through)\s+(?:on\s+|by\s+|around\s+)?(?:the\s+)?$/i;
const WEEKDAY = /\bweekday\b|\bday of the week\b/i;

/** Days, times and both: of several, the first belongs to the argument that begins and the last to the one that ends. */
export const readMoments: CandidateReader = (profile, values, { context, all }) => {
  const { text } = values;
  const description = String(profile.argument.schema.description ?? '');
  if (/\byyyy-mm\b(?!-)/i.test(description)) return readMonths(text, context.zone);
  const weekdays = WEEKDAY.test(description) ? readWeekdays(text) : [];
  if (weekdays.length > 0) return weekdays;
  const fitting = values.moments.filter(({ day, time }) =>
    profile.kind === 'date' ? day !== undefined : profile.kind !== 'time' || time !== undefined,
  );
  const end = endOf(profile, all);
  const hasPair = all.some((other) => other !== profile && endOf(other, all) && other.kind === profile.kind);
  const labels = labelsOf(profile, text);
  return fitting.flatMap((moment, index) => {
    const value = format(profile, moment, { zone: context.zone, moments: values.moments });
    if (value === undefined) return [];
    const isLast = index === fitting.length - 1;
    const suits = end === 'end' ? isLast && (fitting.length > 1 || !hasPair) : index === 0;
    const isBack = end === 'end' && BACK.test(text.slice(0, moment.at));
    const named = isBack || nearLabel(labels, text, moment) > 0 ? 0.08 : 0;
    const score = (suits || isBack ? SURE.shaped : SURE.likely) + named;
    return [{ value, ...placeOf(profile, moment, text), score }];
  });
};

/** "open on Sundays" where a weekday is asked for. */
function readWeekdays(text: string): Candidate[] {
  return [...text.matchAll(/\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b/gi)].map((match) => {
    const name = String(match[1]).toLowerCase();
    const value = name.slice(0, 1).toUpperCase() + name.slice(1);
    return { value, at: match.index, length: match[0].length, score: SURE.shaped };
  });
}

const MONTH_NAME =
  /\b(this|last|next)\s+month\b|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b(?:\s+(\d{4}))?/gi;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const HALF_A_YEAR = 6;

/** A month without a year is the closest one. */
function readMonths(text: string, zone: Zone): Candidate[] {
  const now = today(zone);
  const current = Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1;
  return [...text.matchAll(MONTH_NAME)].map((match) => {
    const shift = { last: -1, this: 0, next: 1 }[String(match[1]).toLowerCase()];
    const month = MONTHS.indexOf(String(match[2]).toLowerCase());
    const near = current - ((((current - month + HALF_A_YEAR) % 12) + 12) % 12) + HALF_A_YEAR;
    const at = shift !== undefined ? current + shift : match[3] ? Number(match[3]) * 12 + month : near;
    const value = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return { value, at: match.index, length: match[0].length, score: SURE.shaped };
  });
}

/** A day and its time may go to two arguments: each claims its end of the words. */
function placeOf({ kind }: ArgumentProfile, { at, length, day, time }: Moment, text: string): Span {
  // "Wednesday evening" may be a day and an option.
  const part = /\s+(?:morning|afternoon|evening|night)$/i.exec(text.slice(at, at + length))?.[0].length ?? 0;
  if (kind === 'moment' || day === undefined || time === undefined)
    return { at, length: length - (kind === 'date' ? part : 0) };
  return kind === 'date' ? { at, length: 1 } : { at: at + length - 1, length: 1 };
}

/** The end of a period that an argument stands for. Guests arrive first and depart last; trains the other way round. */
function endOf({ kind, words }: ArgumentProfile, all: readonly ArgumentProfile[]): End {
  if (kind !== 'date' && kind !== 'time' && kind !== 'moment') return undefined;
  const has = (name: RegExp) =>
    all.some((other) => other.kind === 'date' && other.words.some((word) => name.test(word)));
  if (kind === 'date' && has(/^arriv(?:al|e)$/) && has(/^depart(?:ure)?$/)) {
    if (words.some((word) => /^arriv/.test(word))) return 'begin';
    if (words.some((word) => /^depart/.test(word))) return 'end';
  }
  if (words.some((word) => END.test(word))) return 'end';
  return words.some((word) => BEGIN.test(word)) ? 'begin' : undefined;
}

/** Writes a moment as the argument's description asks; without a wish as the task tools do. */
function format(
  { kind, argument }: ArgumentProfile,
  moment: Moment,
  { zone, moments }: { zone: Zone; moments: MessageValues['moments'] },
): string | undefined {
  const description = String(argument.schema.description ?? '');
  if (kind === 'time') return moment.time === undefined ? undefined : formatTime(moment.time, description);
  const day = moment.day ?? (kind === 'moment' ? moments.find((other) => other.day !== undefined)?.day : undefined);
  if (day === undefined) return undefined;
  if (kind === 'date') return formatDay(day, description);
  const time = moment.time ?? timeBeside(moments);
  if (/\byyyy-mm-dd[t ]hh:mm(?!:?\s?ss|z|:)/i.test(description))
    return `${day}${/dd hh/i.test(description) ? ' ' : 'T'}${time ?? '00:00'}`;
  if (/Z'?|UTC|ISO/.test(description)) return `${day}T${time ?? '00:00'}:00Z`;
  if (time === undefined) return day;
  return withOffset(day, Number(time.slice(0, 2)), Number(time.slice(3)), zone.timezone);
}

/** "on Friday … at 3 pm": the time that was named apart from the day. */
function timeBeside(moments: readonly Moment[]): string | undefined {
  const times = moments.filter((other) => other.day === undefined && other.time !== undefined);
  return times.length === 1 ? times[0]?.time : undefined;
}

function formatDay(day: string, description: string): string {
  if (WEEKDAY.test(description)) return new Date(day).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const [year = '', month = '', date = ''] = day.split('-');
  const wanted = /\b(?:yyyy|yy|mm|dd)(?:[-/.](?:yyyy|yy|mm|dd)){2}\b/i.exec(description)?.[0] ?? 'yyyy-mm-dd';
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
