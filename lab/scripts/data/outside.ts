import type { Answer, Desk } from '../../../test/data/ask-retail.ts';
import { type DataTable, isSameFigure } from '../../../test/data/compare-rows.ts';
import { readSet } from '../find-data.ts';

/** A question of the outside author with its truth, which was computed by SQL. */
interface OutsideQuestion {
  ask: string;
  /** `ask`: the question has several readings, and one of them must not be taken for granted. */
  kind: 'answer' | 'decline' | 'ask';
  truth?: Truth | null;
  sql?: string | null;
  domains: string[];
  readings?: { reading: string; truth: Truth }[];
  /** Further readings of an answer that its author counts as right. */
  also?: { truth: Truth; sql?: string | null }[];
  note?: string;
}
type Truth = (string | number | null)[][];

type Verdict = 'right, high' | 'right' | 'declined' | 'wrong, flagged' | 'wrong, high';

/** Judges the answer as a user gets it: a wrong figure with high confidence is the worst outcome. */
function judge(question: OutsideQuestion, answer: Answer): Verdict {
  const isHigh = answer.confidence === 'high';
  const wrong = isHigh ? 'wrong, high' : 'wrong, flagged';
  const right = isHigh ? 'right, high' : 'right';
  if (question.kind === 'answer') {
    const truths = [{ truth: question.truth ?? [], sql: question.sql ?? null }, ...(question.also ?? [])];
    if (truths.some(({ truth, sql = null }) => holdsTruth(truth, answer, { ...question, sql }))) return right;
    return hasFigure(answer) ? wrong : 'declined';
  }
  if (!hasFigure(answer)) return 'right';
  if (question.kind === 'decline' || isHigh) return wrong;
  // A reading that is said and flagged is as good as a question.
  return question.readings?.some(({ truth }) => truth && holdsTruth(truth, answer, question)) ? 'right' : wrong;
}

/** True if figures were given at all. A question back and a decline have none. */
function hasFigure({ calls }: Answer): boolean {
  return calls.some(({ table }) => table.rows.length > 0);
}

function holdsTruth(truth: Truth, answer: Answer, question: OutsideQuestion): boolean {
  const { note = '', sql } = question;
  const tables = answer.calls.map(({ table }) => table);
  const [first] = truth;
  if (!first) return false;
  // A sum over no rows may be said as 0 or as none.
  const isNothing = truth.length === 1 && first.length === 1 && first[0] === 0;
  if (isNothing && tables.length > 0 && tables.every(({ rows }) => rows.length === 0)) return true;
  const shown = tables.map((table) => ({ rows: named(inPercent(table)) })).filter(({ rows }) => rows.length > 0);
  if (shown.length === 0) return false;
  if (isSideBySide(truth, shown, note)) return true;
  const isFound = (row: Truth[number]) => holdsRow(row, shown, note);
  if (/either or both/.test(note)) return truth.some(isFound);
  if (!truth.every(isFound)) return false;
  return shown.every(({ rows }) => isAsLong(rows.length, truth, sql ?? ''));
}

/** A share, which is shown in percent. The truths of some sets state rates as shares, of others in percent. */
interface Share {
  share: number;
}

function isShare(cell: unknown): cell is Share {
  return typeof cell === 'object' && cell !== null && 'share' in cell;
}

/** The cells as the user sees them: a column of shares is shown in percent. */
function inPercent({ rows, shares }: DataTable): (readonly unknown[])[] {
  return rows.map((row) =>
    row.map((cell, at) => (shares?.has(at) && typeof cell === 'number' ? { share: cell } : cell)),
  );
}

/** Rows that have no value to be grouped by may be shown or left out. */
function named(rows: readonly (readonly unknown[])[]): (readonly unknown[])[] {
  return rows.length > 1 ? rows.filter(([first]) => first !== null) : [...rows];
}

/** A comparison of two: the truth has a row for each, the answer may have a column for each. */
function isSideBySide(truth: Truth, tables: readonly { rows: (readonly unknown[])[] }[], note: string): boolean {
  const [only] = tables.flatMap(({ rows }) => rows);
  const isTwo = truth.length === 2 && truth.every((row) => row.length === 2);
  if (!isTwo || !only || tables.flatMap(({ rows }) => rows).length !== 1) return false;
  return truth.every(([, figure]) => typeof figure === 'number' && only.some((cell) => isFigure(figure, cell, note)));
}

/** The same number of rows; a ranking of one may show the places behind the first. */
function isAsLong(count: number, truth: Truth, sql: string): boolean {
  if (count === truth.length) return true;
  const isSeries = truth.length === 1 && /LIMIT 1$/i.test(sql.trim());
  return isSeries && count > 1 && count <= 5;
}

/** The cells of a row of the truth are in one row of the answer, or in rows of several tables with the same name. */
function holdsRow(truth: Truth[number], tables: readonly { rows: readonly (readonly unknown[])[] }[], note: string) {
  const names = truth.filter((cell) => typeof cell === 'string');
  const rows = tables.map(({ rows: all }) => all.filter((row) => names.every((name) => hasName(row, name))));
  const found = names.length > 0 ? rows.map((list) => list.slice(0, 3)) : rows;
  const figures = truth.filter((cell) => typeof cell === 'number');
  // A quarter is a number in the truth and a text such as 2025-Q3 in an answer.
  const isQuarter = (figure: number, cells: readonly unknown[]) =>
    figure === truth[0] && cells.some((cell) => typeof cell === 'string' && cell.endsWith(`-Q${figure}`));
  if (found.every((list) => list.length === 0)) return false;
  const holdsAll = (cells: readonly unknown[]) =>
    figures.every((figure) => isQuarter(figure, cells) || cells.some((cell) => isFigure(figure, cell, note)));
  if (found.some((list) => list.some(holdsAll))) return true;
  return found.length > 1 && holdsAll(found.flatMap((list) => list[0] ?? []));
}

function hasName(row: readonly unknown[], name: string): boolean {
  const wanted = name.toLowerCase();
  // The truths of some sets name a quarter as Q3, an answer as 2025-Q3.
  const forms = /^q[1-4]$/.test(wanted) ? [wanted, `2025-${wanted}`] : [wanted];
  return row.some((cell) => typeof cell === 'string' && forms.includes(cell.toLowerCase()));
}

function isFigure(figure: number, cell: unknown, note: string): boolean {
  if (isShare(cell)) return Math.abs(cell.share * 100 - figure) < 0.011 || isFigure(figure, cell.share, note);
  if (typeof cell !== 'number') return figure === 0 && cell === null;
  const sides = /sign either way|negative in the data/.test(note) ? [figure, -figure] : [figure];
  const isPercent = /in percent/.test(note);
  return sides.some((side) =>
    isPercent ? Math.abs(cell * 100 - side) < 0.011 || Math.abs(cell - side) < 0.011 : isSameFigure(side, cell),
  );
}

const DATA = new URL('../../data/routing/', import.meta.url);
const LEARNT = '2026-11-16';
/** Sets of several authors. Their README states the first run of each, and which ones were not learnt from. */
export const OUTSIDE_SETS = [
  LEARNT,
  '2026-11-17a',
  '2026-11-17b',
  '2026-11-17c',
  '2026-11-17d',
  '2026-11-17e',
  '2026-11-17f',
  '2026-11-17g',
  '2026-11-17h',
  '2026-11-17i',
  '2026-11-17j',
  '2026-11-17k',
  '2026-11-18l',
  '2026-11-18m',
  '2026-11-18n',
  '2026-11-18o',
  '2026-11-19p',
  '2026-11-19q',
  '2026-11-19r',
  '2026-11-19s',
] as const;
type OutsideSet = (typeof OUTSIDE_SETS)[number];

/** True for the sets of ordinary questions, which have goals of their own. The sets before them are mostly traps. */
export const isOrdinary = (set: OutsideSet): boolean => set >= '2026-11-18';

export interface Judged {
  question: OutsideQuestion;
  answer: Answer;
  verdict: Verdict;
  isRouted: boolean;
}

/** Single questions of the outside author. */
export function readQuestions(set: OutsideSet = LEARNT): OutsideQuestion[] {
  return readSet<OutsideQuestion>(new URL('questions.jsonl', DATA), set);
}

/** Conversations: each turn is asked after the ones before it. Some sets have none. */
export function readConversations(set: OutsideSet = LEARNT): OutsideQuestion[][] {
  return readSet<{ turns: OutsideQuestion[] }>(new URL('conversations.jsonl', DATA), set).map(({ turns }) => turns);
}

export async function judgeAll(desk: Desk, conversations: readonly OutsideQuestion[][]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const turns of conversations) {
    const conversation = {};
    for (const question of turns) {
      const answer = await desk.ask(question.ask, conversation);
      judged.push({ question, answer, verdict: judge(question, answer), isRouted: isRouted(question, answer) });
    }
  }
  return judged;
}

/** The exact set of domains. A table that all domains share may be asked for in any of them. */
function isRouted({ domains, note = '' }: OutsideQuestion, answer: Answer): boolean {
  if (/shared by all domains/.test(note)) return answer.domains.length === 1;
  return domains.toSorted().join() === answer.domains.toSorted().join();
}
