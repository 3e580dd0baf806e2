import { casual, type ParsedResult } from 'chrono-node/en';
import { findWeekdays } from './day-rules.ts';
import { addDays, today, type Zone } from './zoned-time.ts';

/** A day, a time of day, or both, as a text names it. */
export interface Moment {
  at: number;
  length: number;
  /** `YYYY-MM-DD`; absent if only a time of day is named. */
  day?: string;
  /** `HH:MM`; absent if only a day is named. */
  time?: string;
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const NUMERIC =
  /(?<![\d.])(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?:T(\d{2}:\d{2})(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d])/g;
const YEAR_FIRST = new RegExp(String.raw`\b(\d{4}),? (${MONTH}) (\d{1,2})(?:st|nd|rd|th)?\b`, 'gi');
const TODAY = /\b(?:today(?:'s date)?|the (?:current )?date|now) is(?: the)? (.{6,24})/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Draft extends Moment {
  hasYear: boolean;
}

/** All moments of a text in its order; the two ends of a range are two moments. Quoted text is left out by the caller. */
export function findMoments(text: string, zone: Zone): Moment[] {
  const fixed = [...readNumeric(text), ...readYearFirst(text)];
  const rest = fixed.reduce((masked, { at, length }) => mask(masked, at, length), text);
  const words = readWords(rest, referenceOf(rest, zone), zone).filter((draft) => !isRepeated(draft, fixed, text));
  return shareYear([...fixed, ...words].sort((a, b) => a.at - b.at)).map(({ hasYear: _, ...moment }) => moment);
}

const REPEAT_REACH = 25;

/** "next Monday 2023-10-02": the date says which Monday. */
function isRepeated({ at, length, day, time }: Draft, fixed: readonly Draft[], text: string): boolean {
  if (day === undefined || time !== undefined) return false;
  return fixed.some((other) => {
    const between = other.at > at ? text.slice(at + length, other.at) : text.slice(other.at + other.length, at);
    return between.length < REPEAT_REACH && !/\b(?:to|until|till|and|through)\b|-/.test(between);
  });
}

function mask(text: string, at: number, length: number): string {
  return text.slice(0, at) + '~'.repeat(length) + text.slice(at + length);
}

/** "Today is March 6, 2024" moves the reference of "yesterday". */
function referenceOf(text: string, zone: Zone): { instant: Date; timezone: number } {
  const said = TODAY.exec(text)?.[1];
  const [found] = said ? casual.parse(said, zone.now) : [];
  const isDay = found?.start.isCertain('day') && found.start.isCertain('month');
  return { instant: isDay && found ? found.date() : zone.now, timezone: zone.offset };
}

function readNumeric(text: string): Draft[] {
  return [...text.matchAll(NUMERIC)].flatMap((match) => {
    const day = toDay(Number(match[1]), Number(match[2]), Number(match[3]));
    const time = match[4];
    return day === undefined
      ? []
      : [{ at: match.index, length: match[0].length, day, hasYear: true, ...(time && { time }) }];
  });
}

function readYearFirst(text: string): Draft[] {
  return [...text.matchAll(YEAR_FIRST)].flatMap((match) => {
    const month = MONTHS.indexOf(String(match[2]).slice(0, 3).toLowerCase()) + 1;
    const day = toDay(Number(match[1]), month, Number(match[3]));
    return day === undefined ? [] : [{ at: match.index, length: match[0].length, day, hasYear: true }];
  });
}

function readWords(text: string, reference: { instant: Date; timezone: number }, zone: Zone): Draft[] {
  const from = today({ ...zone, now: reference.instant });
  return casual.parse(text, reference, { forwardDate: true }).flatMap((result) => {
    const last = result.index + result.text.length - 1;
    const read = toDraft(result.start, result.index, result.text.length);
    const weekdays = findWeekdays(text.slice(0, last + 1), from, result.index);
    const isPast = /^(?:last|past|previous)\b/i.test(result.text);
    const start = read && (isPast ? lastWeek(read, from) : onWeekday(read, result.start, weekdays[0]));
    const end = result.end && endOf(toDraft(result.end, last, 1), result.end, { weekdays, start });
    // "3 m" may be metres.
    if (!start || /\d\s?m$|^now$/i.test(result.text)) return [];
    // "from 3" is no time of day without a mark of one.
    if (start.day === undefined && !/[ap]\.?m\b|:|noon|mid|o'clock|morning|evening|night|\bat\s/i.test(result.text))
      return [];
    return end ? [{ ...start, length: result.text.length - 1 }, end] : [start];
  });
}

type Parts = ParsedResult['start'];

function isWeekday(parts: Parts | null | undefined): boolean {
  return parts?.isCertain('weekday') === true && !parts.isCertain('day');
}

/** Weekdays have one meaning in the program: "next Friday" is the Friday of next week. */
function onWeekday(draft: Draft, parts: Parts, day: string | undefined): Draft {
  return isWeekday(parts) && day !== undefined ? { ...draft, day } : draft;
}

/** chrono moves "last Friday" forward too. */
function lastWeek(draft: Draft, today: string): Draft {
  return draft.day !== undefined && draft.day >= today ? { ...draft, day: addDays(draft.day, -7) } : draft;
}

/** "from Thursday to Tuesday": the end of a range is after its beginning. */
function endOf(
  draft: Draft | undefined,
  parts: Parts,
  { weekdays, start }: { weekdays: readonly string[]; start: Draft | undefined },
): Draft | undefined {
  const end = draft && onWeekday(draft, parts, weekdays.at(-1));
  const isEarly = isWeekday(parts) && end?.day !== undefined && start?.day !== undefined && end.day < start.day;
  return end?.day !== undefined && isEarly ? { ...end, day: addDays(end.day, 7) } : end;
}

function toDraft(parts: ParsedResult['start'], at: number, length: number): Draft | undefined {
  const isDay = parts.isCertain('day') || parts.isCertain('weekday');
  const isTime = parts.isCertain('hour');
  const day = isDay ? toDay(parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0) : undefined;
  if (day === undefined && !isTime) return undefined;
  const time = isTime ? `${pad(parts.get('hour'))}:${pad(parts.get('minute'))}` : undefined;
  const hasYear = parts.isCertain('year') || !parts.isCertain('month');
  return { at, length, hasYear, ...(day !== undefined && { day }), ...(time !== undefined && { time }) };
}

/** "from April 22 to April 27, 2023": a year that was said holds for the days without one. */
function shareYear(drafts: Draft[]): Draft[] {
  const year = drafts.find(({ hasYear, day }) => hasYear && day !== undefined)?.day?.slice(0, 4);
  return drafts.map((draft) =>
    draft.day !== undefined && !draft.hasYear && year !== undefined
      ? { ...draft, day: `${year}${draft.day.slice(4)}` }
      : draft,
  );
}

function toDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}` : undefined;
}

function pad(value: number | null): string {
  return String(value ?? 0).padStart(2, '0');
}
