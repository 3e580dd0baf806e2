import type { PeriodMention } from './find-periods.ts';

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
