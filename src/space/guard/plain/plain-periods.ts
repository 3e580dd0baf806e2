import type { Found } from './rules.ts';

/** Whole days, both included. */
export interface Days {
  from: string;
  to: string;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const SHORT = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const ORDINALS = 'first second third fourth'.split(' ');
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A single period of plain English at a place: a month, a quarter, a year, a day, or one that counts from today. */
export function plainPeriod(words: readonly string[], at: number, today: string): Found<Days>[] {
  const start = words[at] === 'the' ? at + 1 : at;
  const [first = '', second = '', third = ''] = words.slice(start);
  const year = Number(today.slice(0, 4));
  const found: Found<Days>[] = [];
  const add = (days: Days | undefined, length: number) => {
    if (days) found.push({ value: days, next: start + length });
  };
  const month = monthOf(first);
  if (month !== undefined) {
    if (isYear(second)) add(wholeMonths(Number(second), month, 1), 2);
    else if (dayOf(second) !== undefined && (isYear(third) || words[at - 1] === 'on' || /\D/.test(second))) {
      add(
        oneDay(isYear(third) ? Number(third) : latestYear(month, today), month, dayOf(second)),
        isYear(third) ? 3 : 2,
      );
    } else add(wholeMonths(latestYear(month, today), month, 1), 1);
  }
  const shift = second === 'of' ? 1 : 0;
  const inMonth = monthOf(words[start + 1 + shift] ?? '');
  if (dayOf(first) !== undefined && inMonth !== undefined) {
    const said = words[start + 2 + shift] ?? '';
    const of = isYear(said) ? Number(said) : latestYear(inMonth, today);
    add(oneDay(of, inMonth, dayOf(first)), 2 + shift + (isYear(said) ? 1 : 0));
  }
  const quarter = /^q[1-4]$/.test(first) ? Number(first[1]) : second === 'quarter' ? ORDINALS.indexOf(first) + 1 : 0;
  if (quarter > 0) {
    const length = first.startsWith('q') ? 1 : 2;
    const of = words[start + length] === 'of' ? 1 : 0;
    const said = words[start + length + of] ?? '';
    if (isYear(said)) add(wholeMonths(Number(said), quarter * 3 - 2, 3), length + of + 1);
    else if (of === 0) add(wholeMonths(latestYear(quarter * 3 - 2, today), quarter * 3 - 2, 3), length);
  }
  if (isYear(first)) add(wholeMonths(Number(first), 1, 12), 1);
  if (/^(?:19|20)\d\d-\d\d-\d\d$/.test(first)) add({ from: first, to: first }, 1);
  if (first === 'yesterday') add({ from: daysBefore(today, 1), to: daysBefore(today, 1) }, 1);
  if (first === 'this') {
    add(running(second, today), 2);
    if (third === 'so' && words[start + 3] === 'far') add(running(second, today), 4);
  }
  if (/^(?:first|second)$/.test(first) && second === 'half' && third === 'of' && isYear(words[start + 3] ?? ''))
    add(wholeMonths(Number(words[start + 3]), first === 'first' ? 1 : 7, 6), 4);
  // "The last month" may be the last 30 days.
  if ((first === 'last' && start === at) || first === 'previous') add(before(second, today, year), 2);
  if (first === 'last' || first === 'past') add(counted(second, third, today), 3);
  return found;
}

/** "Since May", "from March to August", "between March and August", "this year so far". */
export function openPeriod(words: readonly string[], at: number, today: string): Found<Days>[] {
  const [first = '', second, third, fourth] = words.slice(at);
  if (first === 'since') {
    const isStart = second === 'the' && /^(?:start|beginning)$/.test(third ?? '') && fourth === 'of';
    return plainPeriod(words, isStart ? at + 4 : at + 1, today).map(({ value: { from }, next }) => ({
      value: { from, to: today },
      next,
    }));
  }
  if (first === 'so' && second === 'far')
    return plainPeriod(words, at + 2, today).filter(({ value }) => value.to === today);
  const joint = first === 'from' ? ['to', 'until', 'through'] : first === 'between' ? ['and'] : [];
  return plainPeriod(words, at + 1, today).flatMap(({ value: start, next }) =>
    joint.includes(words[next] ?? '')
      ? plainPeriod(words, next + 1, today).flatMap((end) =>
          start.from <= end.value.to ? [{ value: { from: start.from, to: end.value.to }, next: end.next }] : [],
        )
      : [],
  );
}

function isYear(word: string): boolean {
  return /^20\d\d$/.test(word);
}

function monthOf(word: string): number | undefined {
  const at = Math.max(MONTHS.indexOf(word), SHORT.indexOf(word), word === 'sept' ? 8 : -1);
  return at < 0 ? undefined : at + 1;
}

function dayOf(word: string): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}

/** The year of the newest such month that has begun. */
function latestYear(month: number, today: string): number {
  const [year = 0, current = 1] = today.split('-').map(Number);
  return month <= current ? year : year - 1;
}

function toDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

function wholeMonths(year: number, month: number, count: number): Days {
  return { from: toDay(year, month, 1), to: toDay(year, month + count, 0) };
}

function oneDay(year: number, month: number, day: number | undefined): Days | undefined {
  const date = toDay(year, month, day ?? 0);
  return date.slice(5, 7) === String(month).padStart(2, '0') ? { from: date, to: date } : undefined;
}

function daysBefore(today: string, count: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}

function running(unit: string, today: string): Days | undefined {
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (unit === 'month') return { from: toDay(year, month, 1), to: today };
  if (unit === 'quarter') return { from: toDay(year, month - ((month - 1) % 3), 1), to: today };
  return unit === 'year' ? { from: toDay(year, 1, 1), to: today } : undefined;
}

function before(unit: string, today: string, year: number): Days | undefined {
  const month = Number(today.slice(5, 7));
  if (unit === 'month') return { from: toDay(year, month - 1, 1), to: toDay(year, month, 0) };
  if (unit === 'year') return wholeMonths(year - 1, 1, 12);
  if (unit !== 'quarter') return undefined;
  const first = month - ((month - 1) % 3) - 3;
  return { from: toDay(year, first, 1), to: toDay(year, first + 3, 0) };
}

/** "The last 30 days" end today. Months are counted only where today ends one, so that they are whole. */
function counted(count: string, unit: string, today: string): Days | undefined {
  const number = COUNTS.indexOf(count) + 1 || (/^\d{1,3}$/.test(count) ? Number(count) : 0);
  if (number === 0) return undefined;
  if (/^days?$/.test(unit)) return { from: daysBefore(today, number - 1), to: today };
  if (/^weeks?$/.test(unit)) return { from: daysBefore(today, 7 * number - 1), to: today };
  const [year = 0, month = 1] = today.split('-').map(Number);
  const isLastDay = toDay(year, month + 1, 0) === today;
  return /^months?$/.test(unit) && isLastDay ? { from: toDay(year, month - number + 1, 1), to: today } : undefined;
}
