import { addDays, today, withOffset, type Zone } from './zoned-time.ts';

/** A length of time: calendar months, days, or minutes. */
export interface Duration {
  unit: 'months' | 'days' | 'minutes';
  count: number;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const UNITS: Readonly<Record<string, [Duration['unit'], number]>> = {
  minute: ['minutes', 1],
  min: ['minutes', 1],
  hour: ['minutes', 60],
  day: ['days', 1],
  week: ['days', 7],
  fortnight: ['days', 14],
  month: ['months', 1],
  year: ['months', 12],
};
const COUNT = String.raw`(?:an?|another|\d{1,4}|${NUMBERS.slice(1).join('|')}|half an?|a couple(?: of)?|a few)`;
/** "a week", "two days", "90 minutes". */
export const DURATION = String.raw`(?:${COUNT}\s+(?:more\s+)?(?:minute|min|hour|day|week|fortnight|month|year)s?)`;
const PARTS = new RegExp(String.raw`^(${COUNT})\s+(?:more\s+)?(\w+?)s?$`, 'i');

export function readDuration(text: string): Duration | undefined {
  const [, count = '', name = ''] = PARTS.exec(text.trim()) ?? [];
  const unit = UNITS[name.toLowerCase()];
  if (!unit) return undefined;
  const size = Math.round(readCount(count.toLowerCase()) * unit[1]);
  return size > 0 ? { unit: unit[0], count: size } : undefined;
}

function readCount(words: string): number {
  if (/^\d/.test(words)) return Number(words);
  if (words.startsWith('half')) return 0.5;
  if (words.startsWith('a couple')) return 2;
  if (words === 'a few') return 3;
  return Math.max(1, NUMBERS.indexOf(words));
}

/**
 * A due date moved by some time: its own, or today where there is none. The time of day is kept. Undefined where a day
 * without a time would have to be moved by minutes.
 */
export function shiftDue(due: string | undefined, { unit, count }: Duration, zone: Zone): string | undefined {
  const [, day = today(zone), time, offset] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)[^Z+-]*(Z|[+-].*))?$/.exec(due ?? '') ?? [];
  if (unit !== 'minutes') {
    const moved = unit === 'days' ? addDays(day, count) : addMonths(day, count);
    return time === undefined ? moved : at(moved, minutesOf(time), { offset, from: { day, time }, zone });
  }
  if (due !== undefined && time === undefined) return undefined;
  const start = time === undefined ? nowMinutes(zone) : minutesOf(time);
  const minutes = start + count;
  const moved = addDays(day, Math.floor(minutes / 1440));
  const from = { day, time: time ?? clock(start) };
  return at(moved, ((minutes % 1440) + 1440) % 1440, { offset, from, zone });
}

interface Origin {
  offset: string | undefined;
  from: { day: string; time: string };
  zone: Zone;
}

/** In the user's zone the offset follows summer time; one of another place stays as it was. */
function at(day: string, minutes: number, { offset, from, zone }: Origin): string {
  const local = (date: string, minute: number) => withOffset(date, Math.floor(minute / 60), minute % 60, zone.timezone);
  const isLocal = offset === undefined || local(from.day, minutesOf(from.time)).slice(19) === offset;
  return isLocal ? local(day, minutes) : `${day}T${clock(minutes)}:00${offset}`;
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function clock(minutes: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function nowMinutes({ now, offset }: Zone): number {
  return minutesOf(new Date(now.getTime() + offset * 60_000).toISOString().slice(11, 16));
}

/** The same day of another month, or that month's last. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
