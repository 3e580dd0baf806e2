import { MONTH, monthOf } from './day-rules.ts';
import { addDays, weekday } from './zoned-time.ts';

/** A range of days that a text names. `due` is the day for a task that is to be done in it. */
export interface FoundRange {
  start: number;
  end: number;
  from: string;
  to: string;
  due: string;
}

const LEAD = String.raw`((?:(?:due|by|in|for|during|before|until|till|on|at|sometime|ideally|later|within|no later than|of|from)\s+)*)`;
const END_OF = String.raw`((?:the\s+)?end of\s+)?`;
const UNIT = String.raw`(?:(this|next|the (?:coming|following)|coming|following|the|my)\s+)?(week(?:end)?|month|year)(?!['’]|-|ly\b)`;
/** "before the year is over", "by year end", "before the month runs out": the last day of it. */
const OVER =
  /(?<![^\s,;(])(?:(?:by|before|until|till|at)\s+)*(?:the\s+|this\s+)?(week|month|year)(?:'s)?[\s-]+(?:end|is (?:over|out|up)|ends|runs out)\b/gi;
const RELATIVE = new RegExp(String.raw`(?<![^\s,;(])${LEAD}${END_OF}${UNIT}\b`, 'gi');
const NAMED = new RegExp(
  String.raw`(?<![^\s,;(])${LEAD}${END_OF}(?:(this|next)\s+)?(${MONTH})\b(?!['’-])(?:\s+(\d{4}))?(?!\s*\d)`,
  'gi',
);
const YEAR = new RegExp(String.raw`(?<![^\s,;(])${LEAD}${END_OF}((?:19|20)\d{2})(?![\d:/.-]\d|\w)`, 'gi');
const DAY_END =
  /(?<![^\s,;(])(?:(?:by|before|until)\s+)*(?:eod|(?:the\s+)?end of (?:the )?(?:day|today)|later today)\b/gi;

/** Finds a week, a weekend, a month or a year, or the end of one. */
export function findRange(text: string, today: string): FoundRange | undefined {
  return (
    lastOf(text, DAY_END, () => single(today)) ??
    lastOf(text, OVER, ([, unit = '']) => single(spanOf(unit.toLowerCase(), false, today).to)) ??
    lastOf(text, RELATIVE, (match) => readRelative(match, { text, today })) ??
    lastOf(text, NAMED, (match) => readMonth(match, { text, today })) ??
    lastOf(text, YEAR, (match) => readYear(match))
  );
}

type Days = Omit<FoundRange, 'start' | 'end'>;

const single = (day: string): Days => ({ from: day, to: day, due: day });

function lastOf(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Days | undefined,
): FoundRange | undefined {
  for (const match of [...text.matchAll(pattern)].reverse()) {
    const days = read(match);
    if (days) return { start: match.index, end: match.index + match[0].length, ...days };
  }
  return undefined;
}

interface Place {
  text: string;
  today: string;
}

function readRelative(match: RegExpExecArray, { text, today }: Place): Days | undefined {
  const [, lead = '', endOf, which = '', unit = ''] = match;
  const isPlain = which === '' || /^(?:the|my)$/i.test(which);
  // "the month" alone says nothing: it takes "the end of", or "at the weekend".
  if (isPlain && endOf === undefined && !(/weekend/i.test(unit) && /\b(?:on|at|by|for|before)\b/i.test(lead)))
    return undefined;
  if (/\b(?:every|each|last|per|once an?)\s*$/i.test(text.slice(0, match.index))) return undefined;
  const isNext = /next|coming|following/i.test(which);
  const days = spanOf(unit.toLowerCase(), isNext, today);
  if (endOf !== undefined) return single(days.to);
  return /\bbefore\s+$/i.test(lead) ? single(addDays(days.from, -1)) : days;
}

function spanOf(unit: string, isNext: boolean, today: string): Days {
  const monday = addDays(today, -weekday(today) + (isNext && unit.startsWith('week') ? 7 : 0));
  if (unit === 'weekend') {
    const from = addDays(monday, 5);
    return { due: today > from ? today : from, from, to: addDays(monday, 6) };
  }
  const [year = 0, month = 1] = today.split('-').map(Number);
  const [from, to] =
    unit === 'week'
      ? [monday, addDays(monday, 6)]
      : unit === 'month'
        ? monthDays(year, month + (isNext ? 1 : 0))
        : yearDays(year + (isNext ? 1 : 0));
  return { due: isNext ? from : to, from, to };
}

function readMonth(match: RegExpExecArray, { text, today }: Place): Days | undefined {
  const [, lead = '', endOf, which = '', name = '', year] = match;
  const isShort = /^(?:may|mar|march|jan|dec|oct|jun|sep|apr|aug)$/i.test(name);
  const isLed =
    /\b(?:in|by|before|until|till|during|of|for|due|from)\s+$/i.test(lead) || endOf !== undefined || which !== '';
  const isAtEnd = /^\W*$/.test(text.slice(match.index + match[0].length));
  if (!isLed && year === undefined && (isShort || !isAtEnd || match.index === 0)) return undefined;
  if (isShort && !isAtEnd && year === undefined) return undefined;
  if (/\d(?:st|nd|rd|th)?\s*$/.test(text.slice(0, match.index))) return undefined;
  const month = monthOf(name);
  const [nowYear = 0, nowMonth = 1] = today.split('-').map(Number);
  const [from, to] = monthDays(year === undefined ? nowYear + (month < nowMonth ? 1 : 0) : Number(year), month);
  if (endOf !== undefined) return single(to);
  return /\bbefore\s+$/i.test(lead) ? single(addDays(from, -1)) : { from, to, due: from < today ? to : from };
}

function readYear([, lead = '', endOf, year = '']: RegExpExecArray): Days | undefined {
  if (endOf === undefined && !/\b(?:in|by|before|during|until|for|due)\s+$/i.test(lead)) return undefined;
  const [from, to] = yearDays(Number(year));
  if (endOf !== undefined) return single(to);
  return /\bbefore\s+$/i.test(lead) ? single(addDays(from, -1)) : { from, to, due: to };
}

function monthDays(year: number, month: number): [string, string] {
  const first = (offset: number) => new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
  return [first(0), addDays(first(1), -1)];
}

function yearDays(year: number): [string, string] {
  return [`${year}-01-01`, `${year}-12-31`];
}
