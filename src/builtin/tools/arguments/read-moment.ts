import type { Moment } from '../../../language/moments.ts';
import { withOffset, type Zone } from '../../../language/zoned-time.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, type MessageValues, type Span, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';

type End = 'begin' | 'end' | undefined;

const BEGIN =
  /^(?:start|starting|from|begin|beginning|since|after|departure|depart|checkin|in|pickup|outbound|leaving|t0|min|open)$/;
const END = /^(?:end|ending|to|until|till|before|return|returning|checkout|out|dropoff|inbound|t1|max|close|finish)$/;
const WEEKDAY = /\bweekday\b|\bday of the week\b/i;

/** Days, times and both: of several, the first belongs to the argument that begins and the last to the one that ends. */
export const readMoments: CandidateReader = (profile, values, { context, all }) => {
  const { text } = values;
  const fitting = values.moments.filter(({ day, time }) =>
    profile.kind === 'date' ? day !== undefined : profile.kind !== 'time' || time !== undefined,
  );
  const end = endOf(profile);
  const hasPair = all.some((other) => other !== profile && endOf(other) && other.kind === profile.kind);
  const labels = labelsOf(profile, text);
  return fitting.flatMap((moment, index) => {
    const value = format(profile, moment, { zone: context.zone, moments: values.moments });
    if (value === undefined) return [];
    const isLast = index === fitting.length - 1;
    const suits = end === 'end' ? isLast && (fitting.length > 1 || !hasPair) : index === 0;
    const named = nearLabel(labels, text, moment) > 0 ? 0.08 : 0;
    const score = (suits ? SURE.shaped : SURE.likely) + named;
    return [{ value, ...placeOf(profile, moment, text), score }];
  });
};

/** A day and its time may go to two arguments: each claims its end of the words. */
function placeOf({ kind }: ArgumentProfile, { at, length, day, time }: Moment, text: string): Span {
  // "Wednesday evening" may be a day and an option.
  const part = /\s+(?:morning|afternoon|evening|night)$/i.exec(text.slice(at, at + length))?.[0].length ?? 0;
  if (kind === 'moment' || day === undefined || time === undefined)
    return { at, length: length - (kind === 'date' ? part : 0) };
  return kind === 'date' ? { at, length: 1 } : { at: at + length - 1, length: 1 };
}

/** The end of a period that an argument stands for. */
function endOf({ kind, words }: ArgumentProfile): End {
  if (kind !== 'date' && kind !== 'time' && kind !== 'moment') return undefined;
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
