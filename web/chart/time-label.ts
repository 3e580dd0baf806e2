const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const QUARTER_MONTHS = 3;
const WHOLE = /^(\d{4})(?:-(?:Q([1-4])|(\d{2})(?:-(\d{2}))?))?$/;

interface TimeLabel {
  /** Place on a line of time, in milliseconds. */
  at: number;
  text: string;
}

/** Reads 2025, 2025-Q3, 2025-09 or 2025-09-30. Undefined for every other text. */
export function readTimeLabel(label: string): TimeLabel | undefined {
  const [, year, quarter, month, day] = WHOLE.exec(label) ?? [];
  if (year === undefined) return undefined;
  const index = quarter ? (Number(quarter) - 1) * QUARTER_MONTHS : Number(month ?? 1) - 1;
  const name = MONTHS[index];
  if (name === undefined) return undefined;
  const at = Date.UTC(Number(year), index, Number(day ?? 1));
  if (day) return { at, text: `${Number(day)} ${name} ${year}` };
  if (month) return { at, text: `${name} ${year}` };
  return { at, text: quarter ? `Q${quarter} ${year}` : year };
}

/** Names whole days from first to last: "Sep 2025" for a whole month, "2025" for a whole year. */
export function namePeriod(from: string, to: string): string {
  const [first, last] = [readTimeLabel(from), readTimeLabel(to)];
  if (!first || !last) return `${from} – ${to}`;
  if (from === to) return first.text;
  const next = new Date(last.at);
  next.setUTCDate(next.getUTCDate() + 1);
  const isWhole = from.endsWith('-01') && next.getUTCDate() === 1;
  const months = isWhole
    ? (next.getUTCFullYear() - Number(from.slice(0, 4))) * 12 + next.getUTCMonth() - monthOf(from)
    : 0;
  if (months === 1) return readTimeLabel(from.slice(0, 7))?.text ?? from;
  if (months === QUARTER_MONTHS && monthOf(from) % QUARTER_MONTHS === 0)
    return `Q${monthOf(from) / QUARTER_MONTHS + 1} ${from.slice(0, 4)}`;
  if (months === 12 && monthOf(from) === 0) return from.slice(0, 4);
  return `${first.text} – ${last.text}`;
}

/** Counted from 0. */
function monthOf(day: string): number {
  return Number(day.slice(5, 7)) - 1;
}
