import type { AnswerCheck, Citation, NumberCheck } from '../../schema/conversation/turn.ts';

export function isFigure(check: AnswerCheck): check is NumberCheck {
  return check.kind !== 'citation';
}

/** `<knowledge>.<path>`, as in the sources of an answer. */
export function sourceOf({ knowledge, document }: Pick<Citation, 'knowledge' | 'document'>): string {
  return `${knowledge}.${document}`;
}

/** `[p1] handbook.leave.md › Annual leave, page 3` for each cited passage. */
export function passageNotes(citations: readonly Citation[] = []): string[] {
  return citations.map((citation) => {
    const { id, breadcrumb, page } = citation;
    const place = [sourceOf(citation), ...breadcrumb].join(' › ');
    return `[${id}] ${place}${page === undefined ? '' : `, page ${page}`}`;
  });
}

/** Each passage of an id, with its words as they were when the answer was given. */
export function quotePassages(citations: readonly Citation[] = [], wanted: string): string[] {
  const id = wanted.replace(/[[\]]/g, '').toLowerCase();
  const cited = citations.filter((citation) => citation.id === id);
  return cited.flatMap((citation) => [
    ...passageNotes([citation]).map((note) => `  ${note}`),
    ...citation.quote.split('\n').map((line) => `      ${line}`),
  ]);
}

/** The marks that a checked sentence lacks in the text. */
export function unwrittenMarks({ text, citations = [] }: Exclude<AnswerCheck, NumberCheck>): string {
  const unwritten = citations.filter((id) => !text.includes(id));
  return unwritten.map((id) => ` [${id}]`).join('');
}

const SHORT_CHARS = 80;

/** A sentence in a line of its own is cut. */
export function shortText({ text }: AnswerCheck): string {
  return text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS).trimEnd()}…` : text;
}
