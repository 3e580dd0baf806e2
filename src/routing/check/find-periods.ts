import type { Part } from './answer-parts.ts';

/** A period that an answer names. Without a year, `from` and `to` are a month and day of any year. */
export interface PeriodMention extends Part {
  text: string;
  from: string;
  to: string;
  hasYear: boolean;
  /** Days of a relative period, such as "last month", which has no dates of its own. */
  days?: { least: number; most: number };
  /** True for "since May". */
  isOpen?: boolean;
  /** The two periods of a range. */
  parts?: PeriodMention[];
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const YEAR = String.raw`(?:19|20)\d\d`;
const PATTERNS = [
  String.raw`(?<iso>${YEAR}-\d\d(?:-\d\d)?)(?!\d)`,
  String.raw`(?<isoYear>${YEAR})-Q(?<isoQuarter>[1-4])`,
  String.raw`(?:(?<dayBefore>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?<month>${MONTH})\b\.?(?:\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d|\s*(?:units|orders|customers|%)))?(?:,?\s+(?:of\s+)?(?<monthYear>${YEAR}))?(?!\d|,\d)`,
  String.raw`(?:Q(?<q>[1-4])|(?<qWord>first|second|third|fourth)\s+quarter)(?:\s+(?:of\s+)?(?<qYear>${YEAR}))?`,
  String.raw`(?<=\b(?:in|of|during|for|since|throughout|until|all of|year|through|from|to|and|vs\.?|than)\s+)(?<year>${YEAR})(?![\d,.-]\d|%)`,
  String.raw`\b(?:last|past|previous|this|current|prior)\s+(?:(?<count>\d+|two|three|four|six|twelve)\s+)?(?<unit>day|week|month|quarter|year)s?\b|\byesterday\b`,
];
const PERIOD = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${PATTERNS.join('|')})(?![\p{L}])`, 'giu');
const COUNTS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, six: 6, twelve: 12 };
const UNITS: Readonly<Record<string, [number, number]>> = {
  day: [1, 1],
  week: [7, 7],
  month: [28, 31],
  quarter: [89, 92],
  year: [364, 366],
};

/** Finds the periods that a text names; two that are joined by "to" are one. */
export function findPeriods(text: string): PeriodMention[] {
  const single = [...text.matchAll(PERIOD)]
    .filter((match) => !isPlainWord(match, text))
    .map((match) => toMention(match));
  const joined: PeriodMention[] = [];
  for (const mention of single) {
    const before = joined.at(-1);
    const between = before && text.slice(before.end, mention.start);
    if (before && between !== undefined && isRange(text, before, between))
      joined.splice(-1, 1, join(text, before, mention));
    else joined.push(mention);
  }
  return joined.map((mention) => ({ ...mention, isOpen: /\bsince\s+$/i.test(text.slice(0, mention.start)) }));
}

/** "may" and "march" are verbs too. */
function isPlainWord(match: RegExpExecArray, text: string): boolean {
  const { month = '', monthYear, day, dayBefore } = match.groups ?? {};
  if (!/^(?:may|mar|march)$/i.test(month) || monthYear || day || dayBefore) return false;
  return /^\p{Ll}/u.test(month) || /^\s+(?:be|have|not|need|want)\b/.test(text.slice(match.index + match[0].length));
}

const FROM = /\b(?:from|between)\s+(?:the\s+)?$/i;

function isRange(text: string, before: PeriodMention, between: string): boolean {
  if (before.days || before.parts) return false;
  if (/^\s*(?:through|until|till|-|–|—)\s*(?:the\s+)?$/i.test(between)) return true;
  return /^\s*(?:to|and)\s*(?:the\s+)?$/i.test(between) && FROM.test(text.slice(0, before.start));
}

function join(text: string, first: PeriodMention, last: PeriodMention): PeriodMention {
  const hasYear = last.hasYear;
  const year = last.from.slice(0, 4);
  const from = hasYear && !first.hasYear ? `${year}-${first.from}` : first.from;
  return {
    start: first.start,
    end: last.end,
    text: text.slice(first.start, last.end),
    from,
    to: last.to,
    hasYear,
    parts: [first, last],
  };
}

function toMention(match: RegExpExecArray): PeriodMention {
  const part = { start: match.index, end: match.index + match[0].length, text: match[0] };
  return { ...part, ...(daysOf(match) ?? relativeOf(match)) };
}

type Dates = Pick<PeriodMention, 'from' | 'to' | 'hasYear'>;

function daysOf({ groups = {} }: RegExpExecArray): Dates | undefined {
  const { iso, isoYear, isoQuarter, month, day, dayBefore, monthYear, q, qWord, qYear, year } = groups;
  if (iso !== undefined) return { from: iso.padEnd(10, '-01'), to: iso.length === 7 ? endOf(iso) : iso, hasYear: true };
  if (isoYear !== undefined) return quarterOf(Number(isoQuarter), isoYear);
  if (month !== undefined) return monthOf(month, day ?? dayBefore, monthYear);
  if (q !== undefined || qWord !== undefined)
    return quarterOf(
      q ? Number(q) : ['first', 'second', 'third', 'fourth'].indexOf((qWord ?? '').toLowerCase()) + 1,
      qYear,
    );
  return year === undefined ? undefined : { from: `${year}-01-01`, to: `${year}-12-31`, hasYear: true };
}

function monthOf(word: string, day: string | undefined, year: string | undefined): Dates {
  const number = MONTHS.findIndex((month) => month.startsWith(word.toLowerCase().slice(0, 3))) + 1;
  const month = String(number).padStart(2, '0');
  const lead = year === undefined ? '' : `${year}-`;
  const only = day?.padStart(2, '0');
  const last = endOf(`${year ?? '2023'}-${month}`).slice(5);
  return {
    from: `${lead}${month}-${only ?? '01'}`,
    to: `${lead}${only ? `${month}-${only}` : last}`,
    hasYear: year !== undefined,
  };
}

function quarterOf(quarter: number, year: string | undefined): Dates {
  const lead = year === undefined ? '' : `${year}-`;
  const month = (number: number) => String(number).padStart(2, '0');
  const last = endOf(`${year ?? '2023'}-${month(quarter * 3)}`).slice(5);
  return { from: `${lead}${month(quarter * 3 - 2)}-01`, to: `${lead}${last}`, hasYear: year !== undefined };
}

function relativeOf({ groups = {} }: RegExpExecArray): Dates & Pick<PeriodMention, 'days'> {
  const { count, unit = 'day' } = groups;
  const times = count === undefined ? 1 : (COUNTS[count.toLowerCase()] ?? Number(count));
  const [least, most] = UNITS[unit.toLowerCase()] ?? [1, 1];
  return { from: '', to: '', hasYear: false, days: { least: least * times - 1, most: most * times + 1 } };
}

/** The last day of a month. */
function endOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

/** True if the words mean these days: the same ones, an end of them, or as many as a relative period has. */
export function isOf(mention: PeriodMention, days: Days): boolean {
  if (mention.days) {
    const count = (Date.parse(days.to) - Date.parse(days.from)) / DAY_MS + 1;
    return count >= mention.days.least && count <= mention.days.most;
  }
  const cut = (day: string) => (mention.hasYear ? day : day.slice(5));
  const isStart = mention.from === cut(days.from);
  if (mention.isOpen) return isStart;
  if (mention.from === mention.to && (isStart || mention.to === cut(days.to))) return true;
  return isStart && (mention.to === cut(days.to) || isFebruary(mention.to, cut(days.to)));
}

/** A month without a year may have a leap day. */
function isFebruary(a: string, b: string): boolean {
  return a.startsWith('02-2') && b.startsWith('02-2');
}

/** The days that a row's label names: a day, a month, a quarter or a year. */
export function daysOfLabel(label: string): Days | undefined {
  const match = /^(\d{4})(?:-(?:Q([1-4])|(\d\d)(?:-(\d\d))?))?$/.exec(label);
  if (!match) return undefined;
  const [, year = '', quarter, month, day] = match;
  if (day !== undefined) return { from: label, to: label };
  if (quarter !== undefined) return monthsOf(year, Number(quarter) * 3 - 2, Number(quarter) * 3);
  return month === undefined ? monthsOf(year, 1, 12) : monthsOf(year, Number(month), Number(month));
}

function monthsOf(year: string, first: number, last: number): Days {
  const to = new Date(Date.UTC(Number(year), last, 0)).toISOString().slice(0, 10);
  return { from: `${year}-${String(first).padStart(2, '0')}-01`, to };
}
