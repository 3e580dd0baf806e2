import { addDays, weekday } from './zoned-time.ts';

/** Words for a day, found in a text. */
export interface FoundDay {
  start: number;
  end: number;
  day: string;
  /** Only a part of the day is named, such as "in the morning". */
  isOpen?: boolean;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAY = String.raw`(?:mon|tues?|wed(?:nes)?|weds|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?`;
export const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const NTH = String.raw`(?:first|1st|second|2nd|third|3rd|fourth|4th|last)`;
/** Abbreviations that are words of their own. */
const DOUBTFUL = /^(?:sun|sat|mon|wed)$/i;

/** A rule reads a day from its match; undefined if the words are no day. */
type Rule = [RegExp, (match: RegExpExecArray, context: { today: string; text: string }) => string | undefined];

const WEEKDAY_RULE: Rule = [
  new RegExp(
    String.raw`\b(?:(this|next|coming|following|the coming|this coming)\s+)?(${WEEKDAY})\b(?!['’]s\b|-)(\s+(?:of\s+|in\s+)?(?:next|this) week)?(?:\s+(?:morning|afternoon|evening|night)\b)?`,
    'gi',
  ),
  (match, { today, text }) => weekdayOf(match, { today, text }),
];

const RULES: readonly Rule[] = [
  [
    new RegExp(
      String.raw`\b(?:the\s+)?(${NTH})\s+(${WEEKDAY}|day)\s+(?:of|in)\s+(${MONTH}|(?:the|this|next)\s+(?:month|year))\b(?:\s+(\d{4}))?`,
      'gi',
    ),
    ([, nth = '', name = '', month = '', year], { today }) => nthDay({ nth, name, month, year }, today),
  ],
  [
    new RegExp(
      String.raw`\b(?:${WEEKDAY},?\s+)?(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(${MONTH})\b\.?(?:,?\s+(\d{4}))?|\b(?:${WEEKDAY},?\s+)?(${MONTH})\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(\d{4})\b)?`,
      'gi',
    ),
    ([, day, month, year, otherMonth = '', otherDay, otherYear], { today }) =>
      dayOfMonth(Number(day ?? otherDay), monthOf(month ?? otherMonth), { today, year: year ?? otherYear }),
  ],
  [
    /\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\s+of\s+(this|next|the)\s+month\b/gi,
    ([, day = '', which = ''], { today }) => nextDay(Number(day), today, which === 'next' ? 1 : 0),
  ],
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([all]) => (isRealDay(all) ? all : undefined)],
  [
    /(?<![\d/.])(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?\.?(?![\d/])/g,
    ([all, first = '', second = '', year], { today }) => slashDay(all, { first, second, year }, today),
  ],
  [
    /\b(an?|one|two|three|four|five|six|\d{1,2})\s+(day|week)s?\s+from\s+(today|now|tomorrow)\b/gi,
    ([, count = '', unit = '', from = ''], { today }) =>
      addDays(today, countOf(count) * (unit.toLowerCase() === 'week' ? 7 : 1) + (/tomorrow/i.test(from) ? 1 : 0)),
  ],
  [/\b(?:in\s+)?(?:a|one|1)\s+fortnight(?:'s time)?\b/gi, (_, { today }) => addDays(today, 14)],
  [/\b(?:a|one) week tomorrow\b/gi, (_, { today }) => addDays(today, 8)],
  [/\b(?:a|one) week today\b/gi, (_, { today }) => addDays(today, 7)],
  [/\b(?:the\s+)?day after tomorrow\b/gi, (_, { today }) => addDays(today, 2)],
  [
    new RegExp(String.raw`\b(?:a|one|1)\s+week\s+(?:on|from)\s+(${WEEKDAY})\b`, 'gi'),
    ([, name = ''], { today }) => addDays(nextWeekday(name, today), 7),
  ],
  [
    new RegExp(String.raw`\b(${WEEKDAY})\s+week\b`, 'gi'),
    ([, name = ''], { today }) => addDays(nextWeekday(name, today), 7),
  ],
  [
    new RegExp(String.raw`\b(?:next\s+|this\s+)?${WEEKDAY},?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\b`, 'gi'),
    ([, number = ''], { today }) => nextDay(Number(number), today, 0),
  ],
  WEEKDAY_RULE,
  [/\b(?:new year'?s eve|nye)\b/gi, (_, { today }) => yearly(today, '12-31')],
  [/\bnew year'?s day\b/gi, (_, { today }) => yearly(today, '01-01')],
  [/\bchristmas eve\b/gi, (_, { today }) => yearly(today, '12-24')],
];
/** "on the 20th", "by the 1st": needs a word before it or the end of the text behind it, and no noun. */
const DAY_OF_MONTH =
  /(?<![^\s,;])(?:(?:due|by|on|before|until|till|for|to|no later than|from)\s+)*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[,;.!?]|at\b|@|instead|please|anyway|then\b|on$)|\s+\d{1,2}(?::\d\d|\s*[ap]m)\b)/gi;

/** Finds the day that a text names, the last one if it names several. */
export function findDay(text: string, today: string): FoundDay | undefined {
  for (const [pattern, read] of RULES) {
    const found = [...text.matchAll(pattern)].reverse().flatMap((match) => {
      const day = read(match, { today, text });
      return day === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, day }];
    });
    if (found[0]) return found[0];
  }
  return findDayOfMonth(text, today);
}

/** The days of all weekdays that a text names after a place, in its order. "last Friday" is left out. */
export function findWeekdays(text: string, today: string, from = 0): string[] {
  const [pattern, read] = WEEKDAY_RULE;
  const matches = [...text.matchAll(pattern)].filter(({ index, 0: { length } }) => index + length > from);
  return matches.flatMap((match) => read(match, { today, text }) ?? []);
}

function findDayOfMonth(text: string, today: string): FoundDay | undefined {
  const match = [...text.matchAll(DAY_OF_MONTH)].at(-1);
  const isLed = /\b(?:due|by|on|before|until|till|for|to|no later than|from)\b|\bthe\b/i.test(match?.[0] ?? '');
  const day = match && nextDay(Number(match[1]), today, 0);
  if (!match || day === undefined || (!isLed && !/\s$|^$/.test(text.slice(0, match.index)))) return undefined;
  const lead = /^(?:(?:due|by|on|before|until|till|for|to|no later than|from)\s+)*/i.exec(match[0])?.[0].length ?? 0;
  return { start: match.index + lead, end: match.index + match[0].length, day };
}

const COUNTS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

function countOf(word: string): number {
  return /^\d/.test(word) ? Number(word) : Math.max(1, COUNTS.indexOf(word.toLowerCase()));
}

export function monthOf(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
}

/** A bare weekday is the next one, never today; "this" is in this week; "next" is in next week. */
function weekdayOf(match: RegExpExecArray, { today, text }: { today: string; text: string }): string | undefined {
  const [all, which = '', name = '', week = ''] = match;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + all.length);
  if (/\b(?:every|each|last|past|previous|most|some|all)\s+$/i.test(before) || /s$/i.test(name.slice(5)))
    return undefined;
  // "my Saturday shift" names a thing.
  if (
    /\b(?:my|our|his|her|their|an?)\s+$/i.test(before) &&
    /^\s+(?!at\b|by\b|on\b|for\b|with\b|and\b|or\b)\p{L}{3}/u.test(after)
  )
    return undefined;
  const isAtEnd =
    /^\W*(?:please|pls|thanks|instead)?\W*$/i.test(after) ||
    /^[\s,]*(?:at\s*)?(?:\d{1,2}(?:[:.]\d\d|h\b|h\d\d|\s*[ap]m)|noon|midday)/i.test(after);
  if (DOUBTFUL.test(name) && which === '' && !isAtEnd) return undefined;
  const target = DAYS.indexOf(name.slice(0, 3).toLowerCase());
  const monday = addDays(today, -weekday(today));
  if (/next/i.test(week) || /^(?:next|following)/i.test(which)) return addDays(monday, 7 + target);
  const inThisWeek = addDays(monday, target);
  const isThis = /^this$/i.test(which) || /this/i.test(week);
  if (isThis && inThisWeek >= today) return inThisWeek;
  return inThisWeek > today ? inThisWeek : addDays(inThisWeek, 7);
}

/** The next day of that name, never today. */
function nextWeekday(name: string, today: string): string {
  const ahead = (DAYS.indexOf(name.slice(0, 3).toLowerCase()) - weekday(today) + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

/** The next day with that number in its month. */
function nextDay(number: number, today: string, firstMonth: number): string | undefined {
  const [year = 0, month = 1] = today.split('-').map(Number);
  for (let offset = firstMonth; offset < firstMonth + 3; offset++) {
    const date = new Date(Date.UTC(year, month - 1 + offset, number));
    const day = date.toISOString().slice(0, 10);
    if (number > 0 && date.getUTCDate() === number && day >= today) return day;
  }
  return undefined;
}

/** The next 29 February may be years away. */
const MOST_YEARS = 8;

function dayOfMonth(
  day: number,
  month: number,
  { today, year }: { today: string; year?: string | undefined },
): string | undefined {
  const pad = (value: number) => String(value).padStart(2, '0');
  const at = (inYear: number) => `${inYear}-${pad(month)}-${pad(day)}`;
  if (year !== undefined) return isRealDay(at(Number(year))) ? at(Number(year)) : undefined;
  const first = Number(today.slice(0, 4));
  for (let next = first; next <= first + MOST_YEARS; next++) {
    if (isRealDay(at(next)) && at(next) >= today) return at(next);
  }
  return undefined;
}

function isRealDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day;
}

/** 31/12 can only be a day and a month; 12/31 is read the American way, as is 5/12. */
function slashDay(
  all: string,
  { first, second, year }: { first: string; second: string; year: string | undefined },
  today: string,
): string | undefined {
  const isDotted = all.includes('.');
  if (isDotted && year === undefined && !/\.$/.test(all)) return undefined;
  const [day, month] = isDotted || Number(first) > 12 ? [first, second] : [second, first];
  if (Number(month) > 12) return undefined;
  const full = year === undefined ? undefined : year.length === 2 ? `20${year}` : year;
  return dayOfMonth(Number(day), Number(month), { today, year: full });
}

function nthDay(
  { nth, name, month, year }: { nth: string; name: string; month: string; year: string | undefined },
  today: string,
): string | undefined {
  const [nowYear = 0, nowMonth = 1] = today.split('-').map(Number);
  const named = monthOf(month);
  const isYear = /year/i.test(month);
  const target = isYear ? 12 : named > 0 ? named : nowMonth + (/next/i.test(month) ? 1 : 0);
  for (const offset of year === undefined ? [0, 1] : [Number(year) - nowYear]) {
    const base = nowYear + offset + (isYear && /next/i.test(month) ? 1 : 0);
    const day = nthOf(nth, name, { year: base, month: target });
    if (day >= today || year !== undefined) return day;
  }
  return undefined;
}

function nthOf(nth: string, name: string, { year, month }: { year: number; month: number }): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const isLast = /^last$/i.test(nth);
  const count = isLast ? 0 : ['first', 'second', 'third', 'fourth'].indexOf(nth.toLowerCase());
  const index = count >= 0 ? count : Number.parseInt(nth, 10) - 1;
  if (/^day$/i.test(name)) return isLast ? last : addDays(first, index);
  const target = DAYS.indexOf(name.slice(0, 3).toLowerCase());
  if (isLast) return addDays(last, -((weekday(last) - target + 7) % 7));
  return addDays(first, ((target - weekday(first) + 7) % 7) + 7 * index);
}

function yearly(today: string, monthDay: string): string {
  const year = Number(today.slice(0, 4));
  return `${year}-${monthDay}` >= today ? `${year}-${monthDay}` : `${year + 1}-${monthDay}`;
}
