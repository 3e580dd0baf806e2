import { addDays, weekday } from '../../../language/zoned-time.ts';
import type { Grain } from '../../../schema/data-query.ts';
import { endOf, move, startOf } from './calendar.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
export const YEAR = String.raw`(?:19|20)\d\d`;
const UNIT = 'day|week|month|quarter|year|yr';
const WHOLE = 'week|month|quarter|year|yr';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const COUNT = String.raw`\d{1,4}|${NUMBERS.join('|')}`;
const ORDINALS = 'first second third fourth'.split(' ');
const TH = '(?:st|nd|rd|th)?';
const D = String.raw`(?:the )?(?<d>\d{1,2})${TH}`;
const M = String.raw`(?<m>${MONTH})\.?`;
const Y = `(?:,?(?: of)? (?<y>${YEAR}))?`;
/** A word without which a month may be another word: "may", "march". */
const BEFORE_MONTH =
  'in|of|for|since|during|until|till|from|to|and|or|between|last|this|vs|versus|than|with|after|before|through|by';

/** A single period at its place. */
export interface Atom {
  from: string;
  to: string;
  start: number;
  end: number;
  isDoubtful: boolean;
  /** The unit or period before another one that the question names. */
  before?: Grain | 'period' | { unit: Grain; count: number };
}

type Span = Omit<Atom, 'start' | 'end'>;
type Reader = (groups: Record<string, string | undefined>, today: string) => Span | undefined;

const sure = (from: string, to: string) => ({ from, to, isDoubtful: false });
const whole = (unit: Grain, day: string) => sure(startOf(unit, day), endOf(unit, day));
const lastYear = (today: string) => String(Number(today.slice(0, 4)) - 1);

/** Forms of a single period, longer ones first. */
export const FORMS: readonly [RegExp, Reader][] = [
  [
    form(String.raw`(?:between ${D} and|${D} ?(?:to|until|through|-|–)) ?(?:the )?(?<e>\d{1,2})${TH} (?:of )?${M}${Y}`),
    ({ d, e, m, y }, today) => daysOf(dayIn(m, d, y, today), dayIn(m, e, y, today)),
  ],
  [form(`(?:the )?first of ${M}${Y}`), ({ m, y }, today) => dayOf(dayIn(m, '1', y, today))],
  [
    form(`(?:the )?(?<u>${WHOLE}) before last`),
    ({ u }, today) => whole(grainOf(u), move(grainOf(u), startOf(grainOf(u), today), -2)),
  ],
  [form(`(?<y>${YEAR}) to date`), ({ y = '' }, today) => (today.startsWith(y) ? sure(`${y}-01-01`, today) : undefined)],
  [form(String.raw`(?<y>${YEAR})-(?<m>\d\d)-(?<d>\d\d)`), ({ y, m, d }) => dayOf(`${y}-${m}-${d}`)],
  [form(String.raw`(?<y>${YEAR})-(?<m>0[1-9]|1[0-2])(?!\d)`), ({ y, m }) => whole('month', `${y}-${m}-01`)],
  [
    form(`(?:${D} (?:of )?)?${M},?(?: of)? last year`),
    ({ m, d }, today) => (d ? dayOf(dayIn(m, d, lastYear(today), today)) : monthIn(m, lastYear(today))),
  ],
  [form(`${M} ${D}${Y}`), ({ m, d, y }, today) => dayOf(dayIn(m, d, y, today))],
  [form(`${D} (?:of )?${M}${Y}`), ({ m, d, y }, today) => dayOf(dayIn(m, d, y, today))],
  [form(`${M},?(?: of)? (?<y>${YEAR})`), ({ m, y = '' }) => monthIn(m, y)],
  [
    form(`(?:q(?<n>[1-4])|(?:the )?(?<o>${ORDINALS.join('|')}) quarter)(?:(?: of)? (?<y>${YEAR}))?`),
    ({ n, o, y }, today) => quarterOf(n === undefined ? ORDINALS.indexOf(o ?? '') + 1 : Number(n), y, today),
  ],
  [
    form(`(?:the )?(?<o>first|second) half of (?:(?<y>${YEAR})|(?:the|this) year)`),
    ({ o, y }, today) => halfOf(o === 'first' ? '1' : '2', y, today),
  ],
  [form(`h(?<n>[12])${Y}`), ({ n, y }, today) => halfOf(n, y, today)],
  [
    form(`(?:the )?(?:last|past|previous) (?<n>${COUNT}) (?<u>${UNIT})s?`),
    ({ n, u }, today) => spanOf(countOf(n), grainOf(u), today),
  ],
  [
    form(`the (?<n>${COUNT}) (?<u>${UNIT})s? (?:before(?: that)?|prior)`),
    ({ n, u }, today) => {
      const [unit, count] = [grainOf(u), countOf(n)];
      const span = spanOf(count, unit, today);
      return span && { ...span, before: { unit, count } };
    },
  ],
  [
    form(`(?:the )?(?:previous|prior|preceding) (?<u>${WHOLE}|period)(?:'s)?|the (?<v>${UNIT}|period) before`),
    ({ u, v }, today) => beforeOf((u ?? v) === 'period' ? 'period' : grainOf(u ?? v), today),
  ],
  [form(String.raw`${M} ?[-–] ?(?<n>${MONTH})\.?${Y}`), ({ m, n, y }, today) => monthsOf(m, n, y, today)],
  [
    form(
      `(?<=this (?<u>${WHOLE}) (?:to|and|with|or|than|vs\\.?|versus|against) )(?:the )?last(?: one)?(?! (?:\\d|${UNIT}))`,
    ),
    ({ u }, today) => lastOf(grainOf(u), today),
  ],
  [form(`(?:the )?last (?<u>${WHOLE})(?:'s)?`), ({ u }, today) => lastOf(grainOf(u), today)],
  [form('(?:the )?last weekend'), (_, today) => weekendBefore(today)],
  [form(`(?:the |this )?past (?<u>${WHOLE})`), ({ u }, today) => pastOf(grainOf(u), today)],
  [
    form(`(?:the |this )?(?:whole|entire|full) (?<u>${WHOLE})`),
    ({ u }, today) => ({ ...sure(startOf(grainOf(u), today), today), isDoubtful: true }),
  ],
  [
    form(`(?<w>this past|this|last) (?<m>${MONTH})`),
    ({ w, m }, today) => ({ ...monthBefore(m, today), isDoubtful: w === 'last' }),
  ],
  [
    form(`(?:so far )?(?:this|the current|current) (?<u>${WHOLE})(?:'?s)?(?: so far| to date)?`),
    ({ u }, today) => sure(startOf(grainOf(u), today), today),
  ],
  [form('(?:the )?year (?:to date|so far)|ytd'), (_, today) => sure(startOf('year', today), today)],
  [form(`black friday(?: (?<y>${YEAR}))?`), ({ y }, today) => blackFriday(y, today)],
  [form("yesterday(?:'?s)?"), (_, today) => dayOf(addDays(today, -1))],
  [form(String.raw`(?<before>\b(?:${BEFORE_MONTH}) )(?<m>${MONTH})`), ({ m }, today) => monthBefore(m, today)],
  [
    form(`(?<m>${MONTH})`),
    ({ m = '' }, today) => (/^(?:may|mar|march|jan)$/.test(m) ? undefined : monthBefore(m, today)),
  ],
  [
    form(`(?<!(?:[<>≤≥]=?|than|over|under|above|below|at least|at most|exactly) ?)(?:calendar year )?(?<y>${YEAR})`),
    ({ y }) => sure(`${y}-01-01`, `${y}-12-31`),
  ],
];

function form(source: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}$.-])(?:${source})(?![\p{L}\p{N}%]|-\d|[.,]\d)`, 'giu');
}

function grainOf(unit = 'year'): Grain {
  return unit === 'yr' ? 'year' : (unit as Grain); // one of UNIT
}

function countOf(text = ''): number {
  return NUMBERS.indexOf(text) + 1 || Number(text);
}

function daysOf(from: string, to: string) {
  return dayOf(from) && dayOf(to) && from <= to ? sure(from, to) : undefined;
}

/** The day after the fourth Thursday of November, the newest one that is over. */
function blackFriday(year: string | undefined, today: string): Span {
  const first = `${year ?? today.slice(0, 4)}-11-01`;
  const day = addDays(first, 22 + ((10 - weekday(first)) % 7));
  return day > today && year === undefined ? blackFriday(String(Number(today.slice(0, 4)) - 1), today) : sure(day, day);
}

/** The Saturday and Sunday that are over. On a Sunday the running weekend may be meant. */
function weekendBefore(today: string) {
  const monday = startOf('week', today);
  return { ...sure(addDays(monday, -2), addDays(monday, -1)), isDoubtful: today >= addDays(monday, 5) };
}

function dayOf(day: string | undefined) {
  const isReal = day !== undefined && !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day;
  return isReal ? sure(day, day) : undefined;
}

function monthOf(name = ''): string {
  const at = MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
  return String(at + 1).padStart(2, '0');
}

function monthIn(name: string | undefined, year: string) {
  return whole('month', `${year}-${monthOf(name)}-01`);
}

/** The newest month of that name that has begun. */
function monthBefore(name: string | undefined, today: string) {
  return monthIn(name, monthOf(name) > today.slice(5, 7) ? lastYear(today) : today.slice(0, 4));
}

function monthsOf(first: string | undefined, last: string | undefined, year: string | undefined, today: string) {
  const end = year === undefined ? monthBefore(last, today) : monthIn(last, year);
  const from = `${end.from.slice(0, 4)}-${monthOf(first)}-01`;
  return sure(from <= end.from ? from : `${Number(from.slice(0, 4)) - 1}${from.slice(4)}`, end.to);
}

function halfOf(number: string | undefined, year: string | undefined, today: string) {
  const own = year ?? today.slice(0, 4);
  return number === '1' ? sure(`${own}-01-01`, `${own}-06-30`) : sure(`${own}-07-01`, `${own}-12-31`);
}

/** The past year ends today; the last calendar year may be meant. */
function pastOf(unit: Grain, today: string) {
  const from = unit === 'week' ? addDays(today, -6) : addDays(monthsBack(unit, today), 1);
  return { from, to: today, isDoubtful: true };
}

function monthsBack(unit: Grain, today: string): string {
  const first = move(unit, startOf('month', today), -1);
  const day = Math.min(Number(today.slice(8)), Number(endOf('month', first).slice(8)));
  return `${first.slice(0, 8)}${String(day).padStart(2, '0')}`;
}

function dayIn(month: string | undefined, day = '', year: string | undefined, today: string): string {
  const rest = `${monthOf(month)}-${day.padStart(2, '0')}`;
  const own = Number(today.slice(0, 4));
  return `${year ?? (`${own}-${rest}` > today ? own - 1 : own)}-${rest}`;
}

function quarterOf(number: number, year: string | undefined, today: string) {
  const first = `-${String(number * 3 - 2).padStart(2, '0')}-01`;
  const own = Number(today.slice(0, 4));
  const found = whole('quarter', `${year ?? (`${own}${first}` > today ? own - 1 : own)}${first}`);
  // The running quarter has just begun: the one of last year may be meant.
  return { ...found, isDoubtful: year === undefined && found.to > today };
}

/** The last whole unit before today, also on the last day of a unit. */
function lastOf(unit: Grain, today: string) {
  return whole(unit, addDays(startOf(unit, today), -1));
}

/** The unit before; without another period it is the one before today. */
function beforeOf(unit: Grain | 'period', today: string) {
  return unit === 'period' ? { ...sure(today, today), before: unit } : { ...lastOf(unit, today), before: unit };
}

/** The last 30 days end today; the last 3 months are whole months before this one, unless it is complete. */
function spanOf(count: number, unit: Grain, today: string) {
  if (count < 1) return undefined;
  if (unit === 'day') return sure(addDays(today, 1 - count), today);
  if (unit === 'week') return sure(addDays(today, 1 - 7 * count), today);
  const isComplete = endOf(unit, today) === today;
  const last = isComplete ? today : addDays(startOf(unit, today), -1);
  return { from: move(unit, startOf(unit, last), 1 - count), to: last, isDoubtful: !isComplete };
}
