import type { Grain, Period } from '../../../schema/data-query.ts';
import { addDays, endOf, move, startOf } from './calendar.ts';

/** A period that a question names, and where. */
export interface FoundPeriod {
  period: Period;
  start: number;
  end: number;
  /** The reading is one of two: "last month" on the last day of a month. */
  isDoubtful: boolean;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const YEAR = String.raw`(?:19|20)\d\d`;
const UNIT = 'day|week|month|quarter|year|yr';
const WHOLE = 'week|month|quarter|year|yr';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const COUNT = String.raw`\d{1,4}|${NUMBERS.join('|')}`;
const ORDINALS = 'first second third fourth'.split(' ');

interface Atom {
  from: string;
  to: string;
  start: number;
  end: number;
  isDoubtful: boolean;
  /** The unit or period before another one that the question names. */
  before?: Grain | 'period' | { unit: Grain; count: number };
}

type Reader = (groups: Record<string, string | undefined>, today: string) => Omit<Atom, 'start' | 'end'> | undefined;

const sure = (from: string, to: string) => ({ from, to, isDoubtful: false });
const whole = (unit: Grain, day: string) => sure(startOf(unit, day), endOf(unit, day));

/** Forms of a single period, longer ones first. */
const FORMS: readonly [RegExp, Reader][] = [
  [
    form(
      String.raw`(?<d>\d{1,2})(?:st|nd|rd|th)? ?(?:to|until|through|-|–) ?(?:the )?(?<e>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>${MONTH})\.?(?:,? (?<y>${YEAR}))?`,
    ),
    ({ d, e, m, y }, today) => daysOf(dayIn(m, d, y, today), dayIn(m, e, y, today)),
  ],
  [
    form(String.raw`(?<y>${YEAR}) to date`),
    ({ y = '' }, today) => (today.startsWith(y) ? sure(`${y}-01-01`, today) : undefined),
  ],
  [form(String.raw`calendar year (?<y>${YEAR})`), ({ y }) => sure(`${y}-01-01`, `${y}-12-31`)],
  [form(String.raw`(?<y>${YEAR})-(?<m>\d\d)-(?<d>\d\d)`), ({ y, m, d }) => dayOf(`${y}-${m}-${d}`)],
  [form(String.raw`(?<y>${YEAR})-(?<m>0[1-9]|1[0-2])(?!\d)`), ({ y, m }) => whole('month', `${y}-${m}-01`)],
  [
    form(String.raw`(?:the )?(?<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>${MONTH})\.?,?(?: of)? last year`),
    ({ m, d }, today) => dayOf(dayIn(m, d, String(Number(today.slice(0, 4)) - 1), today)),
  ],
  [
    form(String.raw`(?<m>${MONTH})\.? (?:the )?(?<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<y>${YEAR}))?`),
    ({ m, d, y }, today) => dayOf(dayIn(m, d, y, today)),
  ],
  [
    form(String.raw`(?:the )?(?<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>${MONTH})\.?(?:,? (?<y>${YEAR}))?`),
    ({ m, d, y }, today) => dayOf(dayIn(m, d, y, today)),
  ],
  [
    form(String.raw`(?<m>${MONTH})\.?,?(?: of)? last year`),
    ({ m }, today) => whole('month', `${Number(today.slice(0, 4)) - 1}-${monthOf(m)}-01`),
  ],
  [form(String.raw`(?<m>${MONTH})\.?,?(?: of)? (?<y>${YEAR})`), ({ m, y }) => whole('month', `${y}-${monthOf(m)}-01`)],
  [
    form(String.raw`(?:q(?<n>[1-4])|(?:the )?(?<o>${ORDINALS.join('|')}) quarter)(?:(?: of)? (?<y>${YEAR}))?`),
    ({ n, o, y }, today) => quarterOf(n === undefined ? ORDINALS.indexOf(o ?? '') + 1 : Number(n), y, today),
  ],
  [
    form(String.raw`(?:the )?(?<o>first|second) half of (?<y>${YEAR})`),
    ({ o, y }) => (o === 'first' ? sure(`${y}-01-01`, `${y}-06-30`) : sure(`${y}-07-01`, `${y}-12-31`)),
  ],
  [
    form(String.raw`(?:the )?(?:last|past|previous) (?<n>${COUNT}) (?<u>${UNIT})s?`),
    ({ n, u }, today) => spanOf(countOf(n), grainOf(u), today),
  ],
  [
    form(String.raw`the (?<n>${COUNT}) (?<u>${UNIT})s? (?:before(?: that)?|prior)`),
    ({ n, u }, today) => {
      const count = countOf(n);
      const span = spanOf(count, grainOf(u), today);
      return span && { ...span, before: { unit: grainOf(u), count } };
    },
  ],
  [
    form(
      String.raw`(?:the )?(?:previous|prior|preceding) (?<u>${WHOLE}|period)(?:'s)?|the (?<v>${WHOLE}|period) before`,
    ),
    ({ u, v }, today) => beforeOf((u ?? v) === 'period' ? 'period' : grainOf(u ?? v), today),
  ],
  [form(String.raw`(?:the )?last (?<u>${WHOLE})(?:'s)?`), ({ u }, today) => lastOf(grainOf(u), today)],
  [form(String.raw`(?:the )?last weekend`), (_, today) => weekendBefore(today)],
  [form(`(?:the )?past (?<u>${WHOLE})`), ({ u }, today) => ({ ...lastOf(grainOf(u), today), isDoubtful: true })],
  [
    form(String.raw`(?:so far )?(?:this|the current|current) (?<u>${WHOLE})(?:'s)?(?: so far| to date)?`),
    ({ u }, today) => sure(startOf(grainOf(u), today), today),
  ],
  [form('year to date|ytd'), (_, today) => sure(startOf('year', today), today)],
  [form("yesterday(?:'?s)?"), (_, today) => dayOf(addDays(today, -1))],
  [
    form(
      String.raw`(?<before>\b(?:in|of|for|since|during|until|till|from|to|and|or|between|last|this|vs|versus|than|with|after|before|through|by) )(?<m>${MONTH})`,
    ),
    ({ m }, today) => monthBefore(m, today),
  ],
  [
    form(String.raw`(?<m>${MONTH})(?=\b)`),
    ({ m = '' }, today) => (/^(?:may|mar|march|jan)$/.test(m) ? undefined : monthBefore(m, today)),
  ],
  [
    form(`(?<!(?:[<>≤≥]=?|than|over|under|above|below|at least|at most|exactly) ?)(?<y>${YEAR})`),
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

/** The newest month of that name that has begun. */
function monthBefore(name: string | undefined, today: string) {
  const month = monthOf(name);
  const year = Number(today.slice(0, 4)) - (month > today.slice(5, 7) ? 1 : 0);
  return whole('month', `${year}-${month}-01`);
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

/** "October against the previous month" is September; "the previous period" has the same length. */
function shiftBack({ before }: Atom, base: { from: string; to: string }): { from: string; to: string } {
  const last = addDays(base.from, -1);
  if (typeof before === 'object') return { from: backFrom(base.from, before), to: last };
  if (before !== 'period' && before !== undefined) return { from: startOf(before, last), to: endOf(before, last) };
  const days = Math.round((Date.parse(base.to) - Date.parse(base.from)) / 86_400_000);
  return { from: addDays(last, -days), to: last };
}

function backFrom(day: string, { unit, count }: { unit: Grain; count: number }): string {
  return unit === 'day' || unit === 'week' ? move(unit, day, -count) : move(unit, startOf(unit, day), -count);
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

function findAtoms(text: string, today: string): Atom[] {
  const atoms: Atom[] = [];
  for (const [pattern, read] of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const groups = match.groups ?? {};
      const start = match.index + (groups.before?.length ?? 0);
      const end = match.index + match[0].length;
      if (atoms.some((atom) => start < atom.end && atom.start < end)) continue;
      const found = read(groups, today);
      if (found) atoms.push({ ...found, start, end });
    }
  }
  return atoms.toSorted((a, b) => a.start - b.start);
}

const LEAD: readonly [RegExp, (atom: Atom, edge: { today: string; oldest: string }) => { from: string; to: string }][] =
  [
    [/\b(?:ever )?since (?:the )?$/i, (atom, { today }) => ({ from: atom.from, to: today })],
    [/\bafter (?:the )?$/i, (atom, { today }) => ({ from: addDays(atom.to, 1), to: today })],
    [/\bbefore (?:the )?$/i, (atom, { oldest }) => ({ from: oldest, to: addDays(atom.from, -1) })],
    [/\b(?:until|till|up to|through) (?:the )?$/i, (atom, { oldest }) => ({ from: oldest, to: atom.to })],
  ];
const IN = /\b(?:in|during|for|on|of|over|within|from|throughout)(?: all of| the whole of| the)? $/i;

/** "From May to July" is a change from one to the other, where a change is asked for. */
const CHANGE = /\b(?:change[ds]?|growth|grow|grew|grown|difference)\b/;

/** "July to October 2024": the year of the end holds for the beginning, too. */
function withYear(first: string, from: string, last: string, to: string): string {
  const year = new RegExp(YEAR).exec(last)?.[0];
  if (year === undefined || new RegExp(YEAR).test(first)) return from;
  const same = `${year}${from.slice(4)}`;
  return same <= to ? same : `${Number(year) - 1}${from.slice(4)}`;
}

interface PeriodContext {
  today: string;
  oldest: string;
  /** The period of the question that this one continues. */
  base?: { from: string; to: string } | undefined;
}

/** Finds every period of a question, joined where "between", "from … to" or "since" says so. */
export function findPeriods(text: string, { today, oldest, base: earlier }: PeriodContext): FoundPeriod[] {
  const plain = text.toLowerCase();
  const atoms = findAtoms(plain, today);
  const found: FoundPeriod[] = [];
  for (let index = 0; index < atoms.length; index++) {
    const atom = atoms[index];
    const next = atoms[index + 1];
    if (!atom) continue;
    const before = plain.slice(0, atom.start);
    const range =
      next && /^ ?(?<word>and|to|until|till|through|-|–) ?(?:the )?$/.exec(plain.slice(atom.end, next.start));
    const lead = range && /\b(?:between|from|over|during|in|for) (?:the )?$/.exec(before);
    const isOpen =
      range?.groups?.word !== 'and' || /\bbetween\b/.test(lead?.[0] ?? '') || /\bfrom\b/.test(lead?.[0] ?? '');
    if (next && range && isOpen && (lead || range.groups?.word !== 'and') && !CHANGE.test(plain)) {
      const from = withYear(plain.slice(atom.start, atom.end), atom.from, plain.slice(next.start, next.end), next.to);
      found.push(
        toFound(text, { start: atom.start - (lead?.[0].length ?? 0), end: next.end }, { ...atom, from, to: next.to }),
      );
      index++;
      continue;
    }
    const open = /^ (?:until|till|to|up to) (?:now|today)\b/.exec(plain.slice(atom.end));
    const begin = open && /\b(?:from|between) (?:the )?$/.exec(before);
    if (open && begin) {
      const span = { start: atom.start - begin[0].length, end: atom.end + open[0].length };
      found.push(toFound(text, span, { ...atom, to: today }));
      continue;
    }
    const base = found[0]?.period ?? earlier;
    if (atom.before !== undefined && base) {
      const words = IN.exec(before)?.[0] ?? '';
      const shifted = { ...atom, ...shiftBack(atom, base), isDoubtful: false };
      found.push(toFound(text, { start: atom.start - words.length, end: atom.end }, shifted));
      continue;
    }
    if (atom.before === 'period' || typeof atom.before === 'object') continue;
    const [pattern, change] = LEAD.find(([one]) => one.test(before)) ?? [];
    const words = (pattern ?? IN).exec(before)?.[0] ?? '';
    const span = { start: atom.start - words.length, end: atom.end };
    found.push(toFound(text, span, { ...atom, ...change?.(atom, { today, oldest }) }));
  }
  return found;
}

function toFound(text: string, { start, end }: { start: number; end: number }, atom: Atom): FoundPeriod {
  const { from, to, isDoubtful } = atom;
  return { period: { from, to, words: text.slice(start, end).trim() }, start, end, isDoubtful };
}
