import { addDays } from '../../../language/zoned-time.ts';
import type { Grain, Period } from '../../../schema/data-query.ts';
import { endOf, move, startOf } from './calendar.ts';
import { type Atom, FORMS, YEAR } from './period-forms.ts';

/** A period that a question names, and where. */
export interface FoundPeriod {
  period: Period;
  start: number;
  end: number;
  /** The reading is one of two: "last month" on the last day of a month. */
  isDoubtful: boolean;
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

const LEAD: readonly [RegExp, (atom: Atom, edge: { today: string; oldest: string }) => { from: string; to: string }][] =
  [
    [
      /\b(?:ever )?since (?:the )?(?:(?:start|beginning) of (?:the )?)?$/i,
      (atom, { today }) => ({ from: atom.from, to: today }),
    ],
    [/\bsince (?:the )?end of (?:the )?$/i, (atom, { today }) => ({ from: addDays(atom.to, 1), to: today })],
    [/\bafter (?:the )?(?:end of (?:the )?)?$/i, (atom, { today }) => ({ from: addDays(atom.to, 1), to: today })],
    [/\bbefore (?:the )?$/i, (atom, { oldest }) => ({ from: oldest, to: addDays(atom.from, -1) })],
    [
      /\b(?:until|till|up to|through) (?:and including )?(?:the )?(?:end of (?:the )?)?$/i,
      (atom, { oldest }) => ({ from: oldest, to: atom.to }),
    ],
  ];
const IN =
  /\b(?:(?:at|by|as of) (?:the )?(?:end|close) of(?: the)?|(?:in|for|during|of|over) the (?:month|year|quarter|week|period) (?:of|from)|(?:in|during|for|on|of|over|within|from|throughout)(?: all of| the whole of| the)?) $/i;

/** "From May to July" is a change from one to the other, where a change is asked for. */
const CHANGE =
  /\b(?:change[ds]?|growth|grow|grew|grown|difference|increased?|decreased?|rise|rose|fall|fell|drop|dropped|declined?|gained?|improved?|went (?:up|down))\b/;

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
      next &&
      /^ ?(?<word>and|to|until|till|through|up to|up to and including|-|–) ?(?:the )?(?:end of )?(?:the )?$/.exec(
        plain.slice(atom.end, next.start),
      );
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
    const isDoubtful = atom.isDoubtful || /\b(?:end|close) of\b/.test(words);
    found.push(toFound(text, span, { ...atom, isDoubtful, ...change?.(atom, { today, oldest }) }));
  }
  return found;
}

function toFound(text: string, { start, end }: { start: number; end: number }, atom: Atom): FoundPeriod {
  const { from, to, isDoubtful } = atom;
  return { period: { from, to, words: text.slice(start, end).trim() }, start, end, isDoubtful };
}
