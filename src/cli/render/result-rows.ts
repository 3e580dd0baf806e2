import { isFigure, sourceOf } from '../../knowledge/cite/describe-citation.ts';
import type { AnswerCheck, TurnResult } from '../../schema/conversation/turn.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { type Span, wrapSpans } from '../terminal/spans.ts';
import { footnotesOf, passageNotes, showRows } from './footnotes.ts';

/** The rows below an answer: the sources of its figures, its confidence, missing data, and suggested questions. */
export function resultRows(result: TurnResult, { colors, width }: { colors: Colors; width: number }): string[] {
  const lines: [string, Span[]][] = [
    ['sources', sourceSpans(result, colors)],
    ['missing', missingSpans(result, colors)],
    ['next', choiceSpans(result.suggestions, colors)],
  ];
  return lines.flatMap(([name, spans]) => (spans.length === 0 ? [] : labelled(name, spans, { colors, width })));
}

/** Choices that a single letter selects. */
export function choiceSpans(choices: readonly string[], colors: Colors): Span[] {
  return choices.flatMap((choice, index) => [
    ...(index > 0 ? [{ text: '   ' }] : []),
    { text: letterOf(index), style: colors.bold },
    { text: '  ' },
    { text: sanitizeText(choice).replace(/\s+/g, ' ') },
  ]);
}

export function letterOf(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}

/** A short dim label, then text indented to its right. */
export function labelled(name: string, spans: Span[], { colors, width }: { colors: Colors; width: number }): string[] {
  const indent = 2 + name.length + 2;
  const rows = wrapSpans(spans, width - indent);
  return rows.map((row, index) => (index === 0 ? `  ${colors.dim(name)}  ${row}` : ' '.repeat(indent) + row));
}

function sourceSpans(result: TurnResult, colors: Colors): Span[] {
  const notes = footnotesOf(result);
  const noted = notes.map(({ number, source, rows }) => `[${number}] ${source}${showRows(rows)}`);
  const named = [...notes.map((note) => note.source), ...(result.citations ?? []).map(sourceOf)];
  const others = result.sources.filter((source) => !named.includes(source));
  const sources = [...noted, ...passageNotes(result.citations), ...others].map(sanitizeText).join('   ');
  if (!result.confidence) return sources === '' ? [] : [{ text: sources }];
  const look = { high: colors.green, medium: colors.yellow, low: colors.red }[result.confidence];
  const confidence = [
    { text: 'confidence ' },
    { text: result.confidence, style: look },
    { text: ` (${reasonOf(result)})` },
  ];
  return sources === '' ? confidence : [{ text: `${sources}      ` }, ...confidence];
}

/** A figure that no result holds, or words that the executed query or the cited passage does not support. */
function describeUnfound(check: AnswerCheck): string {
  const { text, reason } = check;
  return reason === undefined ? `${text} is not in any tool result` : `“${shortText(check)}”: ${reason}`;
}

function reasonOf({ tool_calls, checks = [] }: TurnResult): string {
  const asked = tool_calls.filter((call) => call.domain);
  const answered = asked.filter((call) => call.state === 'completed').length;
  const { figures = [], statements = [] } = Object.groupBy(checks, (check) =>
    isFigure(check) ? 'figures' : 'statements',
  );
  const count = (list: readonly AnswerCheck[], name: string) =>
    list.length > 0 ? [`${list.filter((check) => check.found).length} of ${list.length} ${name} checked`] : [];
  const parts = [
    ...(asked.length > 0 ? [`${answered} of ${asked.length} answered`] : []),
    ...count(figures, 'figures'),
    ...count(statements, 'statements'),
  ];
  return parts.join(', ') || 'no figures to check';
}

/** Leaves out denied calls, because the person who denied them knows, and reasons that are in the answer already. */
function missingSpans(result: TurnResult, colors: Colors): Span[] {
  const { checks = [], content, error_details = [], partial_results, tool_calls } = result;
  const denied = tool_calls.filter(({ error }) => error?.error_type === 'PermissionDenied');
  const isDenied = (detail: { tool?: string | undefined; reason: string }) =>
    denied.some(({ name, error }) => name === detail.tool && error?.message === detail.reason);
  const unfound = checks.filter((check) => !check.found).map(describeUnfound);
  const isSaid = ({ reason }: { reason: string }) => content.includes(reason.trim());
  const missing = error_details.filter((detail) => !isDenied(detail) && !isSaid(detail));
  const details = missing.map(({ domain, tool, reason }) => [domain ?? tool, reason].filter(Boolean).join(': '));
  const failed = partial_results ? details : [];
  return [...failed, ...unfound].flatMap((text, index) => [
    ...(index > 0 ? [{ text: ' · ' }] : []),
    { text: sanitizeText(text).replace(/\s+/g, ' '), style: colors.yellow },
  ]);
}

const SHORT_CHARS = 80;

/** A sentence in a line of its own is cut. */
function shortText({ text }: AnswerCheck): string {
  return text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS).trimEnd()}…` : text;
}
