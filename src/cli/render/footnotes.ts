import { isFigure, sourceOf } from '../../knowledge/cite/describe-citation.ts';
import type { AnswerCheck, Citation, NumberCheck, TurnResult } from '../../schema/conversation/turn.ts';

/** A call that figures of the answer come from. */
export interface Footnote {
  number: number;
  callId: string;
  /** `<domain>.<space>`, or the tool's name. */
  source: string;
  /** Row numbers from 1, in order. */
  rows: number[];
}

type Answer = Pick<TurnResult, 'checks' | 'sources' | 'tool_calls'>;

/** The calls that the figures of an answer come from, numbered by first use. */
export function footnotesOf({ checks: all = [], sources, tool_calls }: Answer): Footnote[] {
  const checks = all.filter(isFigure);
  const ids = [...new Set(checks.flatMap((check) => (check.found && check.call_id ? [check.call_id] : [])))];
  return ids.map((callId, index) => {
    const call = tool_calls.find(({ id }) => id === callId);
    const source = sources.find((name) => call?.domain && name.startsWith(`${call.domain}.`));
    const rows = checks.flatMap((check) =>
      check.call_id === callId && check.row !== undefined ? [check.row + 1] : [],
    );
    const ordered = [...new Set(rows)].sort((a, b) => a - b);
    return { number: index + 1, callId, source: source ?? call?.name ?? 'a tool', rows: ordered };
  });
}

/**
 * Adds the footnote number after every figure, and `[?]` after a figure or sentence that was not found. Tables get only
 * the latter, because their rows come from the source as a whole. A sentence gets the marks that the model left out.
 */
export function withMarks(content: string, checks: readonly AnswerCheck[], notes: readonly Footnote[]): string {
  let marked = content;
  for (const check of checks.toSorted((a, b) => b.end - a.end)) {
    const isInTable = content.startsWith('|', content.lastIndexOf('\n', check.start) + 1);
    const mark = check.found ? !isInTable && markOf(check, notes) : ' [?]';
    if (mark) marked = marked.slice(0, check.end) + mark + marked.slice(check.end);
  }
  return marked;
}

function markOf(check: AnswerCheck, notes: readonly Footnote[]): string {
  if (!isFigure(check)) return unwrittenMarks(check);
  const number = notes.find(({ callId }) => callId === check.call_id)?.number;
  return number ? ` [${number}]` : '';
}

/** Formats `row 1`, `rows 1–3` or `rows 1, 4`. */
export function showRows(rows: readonly number[]): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return '';
  if (rows.length === 1) return ` row ${first}`;
  return last - first === rows.length - 1 ? ` rows ${first}–${last}` : ` rows ${rows.join(', ')}`;
}

/** `[p1] handbook.leave.md › Annual leave, page 3` for each cited passage. */
export function passageNotes(citations: readonly Citation[] = []): string[] {
  return citations.map((citation) => {
    const { id, breadcrumb, page } = citation;
    const place = [sourceOf(citation), ...breadcrumb].join(' › ');
    return `[${id}] ${place}${page === undefined ? '' : `, page ${page}`}`;
  });
}

/** The marks that a checked sentence lacks in the text. */
function unwrittenMarks({ text, citations = [] }: Exclude<AnswerCheck, NumberCheck>): string {
  const unwritten = citations.filter((id) => !text.includes(id));
  return unwritten.map((id) => ` [${id}]`).join('');
}
