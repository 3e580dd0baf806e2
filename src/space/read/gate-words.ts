const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** The words of a question without case and punctuation. */
export function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[?!.,;:"'’]+(?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

interface Days {
  from: string;
  to: string;
}

const iso = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
const months = (year: number, first: number, count: number): Days => ({
  from: iso(year, first, 1),
  to: iso(year, first + count, 0),
});

/** A plain period at a place: "in October 2025", "in Q3 2025", "in 2025", "last month". Its days are computed here. */
export function plainPeriod(
  words: readonly string[],
  at: number,
  today: string,
): { days: Days; end: number } | undefined {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const isIn = words[at] === 'in' || words[at] === 'for';
  const start = isIn ? at + 1 : at;
  const [first = '', second = ''] = words.slice(start, start + 2);
  const isYear = (word: string) => /^20\d\d$/.test(word);
  if (isIn && MONTHS.includes(first) && isYear(second))
    return { days: months(Number(second), MONTHS.indexOf(first), 1), end: start + 2 };
  const quarter = /^q([1-4])$/.exec(first)?.[1];
  if (isIn && quarter !== undefined && isYear(second))
    return { days: months(Number(second), Number(quarter) * 3 - 3, 3), end: start + 2 };
  if (isIn && isYear(first)) return { days: months(Number(first), 0, 12), end: start + 1 };
  if (isIn) return undefined;
  const current = Math.floor((month - 1) / 3) * 3;
  const relative: Readonly<Record<string, Days>> = {
    'last month': months(year, month - 2, 1),
    'last quarter': months(year, current - 3, 3),
    'this month': { from: iso(year, month - 1, 1), to: today },
    'this year': { from: iso(year, 0, 1), to: today },
  };
  const days = relative[`${first} ${second}`];
  return days && { days, end: start + 2 };
}

export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
