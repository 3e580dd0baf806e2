import { isFigure } from '../../knowledge/cite/describe-citation.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { Citation, NumberCheck, TurnResult } from '../../schema/conversation/turn.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { callDetails, countResult, shortArguments, WHOLE } from '../render/call-lines.ts';
import { footnotesOf, passageNotes } from '../render/footnotes.ts';
import { terminalColors as colors } from '../terminal/colors.ts';

const WRITTEN_FIGURE = /[$€£]?\d+(?:[.,]\d+)*(?:\s?%)?/g;

const LISTED_FIGURES = 12;
const NOT_FOUND = 'not found in any tool result';

/** Explains an answer: a short list of its figures, one figure, or `all` steps; in a window, long results are cut. */
export function whyText(result: TurnResult | undefined, wanted: string, isWindow: boolean): string {
  if (!result) return 'There is no answer yet.';
  if (wanted === '') return shortAnswer(result);
  if (wanted === 'all') return wholeAnswer(result, isWindow);
  const quoted = quotePassages(result.citations, wanted);
  if (quoted.length > 0) return sanitizeText(quoted.join('\n'));
  const checks = (result.checks ?? []).filter(isFigure).filter((check) => isSameFigure(check.text, wanted));
  if (checks.length > 0) return whereFound(checks, result).join('\n');
  const isThere = (result.content.match(WRITTEN_FIGURE) ?? []).some((text) => isSameFigure(text, wanted));
  const fault = isThere ? 'was not checked against tool results.' : 'does not appear in the last answer.';
  return `${sanitizeText(wanted)} ${fault}`;
}

/** Each passage of an id, with its words as they were when the answer was given. */
function quotePassages(citations: readonly Citation[] = [], wanted: string): string[] {
  const id = wanted.replace(/[[\]]/g, '').toLowerCase();
  const cited = citations.filter((citation) => citation.id === id);
  return cited.flatMap((citation) => [
    ...passageNotes([citation]).map((note) => `  ${note}`),
    ...citation.quote.split('\n').map((line) => `      ${line}`),
  ]);
}

/** Compares figures in any notation; a sign may be left out, but not added. */
function isSameFigure(text: string, wanted: string): boolean {
  const there = readFigure(text);
  const asked = readFigure(wanted);
  return asked.value === there.value && (asked.sign === '' || asked.sign === there.sign);
}

/** Reads a number by its value; `1.2 million` and names by their words. */
function readFigure(text: string): { value: number | string; sign: string } {
  const words = text
    .toLowerCase()
    .replace(/\s?per ?cent$/, '%')
    .replace(/[\s,]/g, '');
  const bare = words.replace(/[%$€£]/g, '');
  const value = Number(bare);
  return { value: bare === '' || Number.isNaN(value) ? bare : value, sign: /[%$€£]/.exec(words)?.[0] ?? '' };
}

/** Returns one line per source, then the query of each call. */
function whereFound(checks: readonly NumberCheck[], result: TurnResult): string[] {
  const calls = [...new Set(checks.map(({ call_id }) => call_id))];
  return calls.flatMap((id) => {
    const heads = checks.filter(({ call_id }) => call_id === id).map((check) => oneFigure(check, result));
    const query = fieldOf(callOf(result, id), 'sql_query');
    const below = typeof query === 'string' ? [`      ${colors.dim(sanitizeText(query).replace(/\s+/g, ' '))}`] : [];
    return [...new Set(heads), ...below];
  });
}

function callOf({ tool_calls }: TurnResult, wanted: string | undefined): ToolCall | undefined {
  return tool_calls.find(({ id }) => id === wanted);
}

function oneFigure(check: NumberCheck, result: TurnResult): string {
  if (!check.found)
    return `  ${sanitizeText(check.text)}  ${colors.red('✗')} ${sanitizeText(check.reason ?? NOT_FOUND)}`;
  const call = callOf(result, check.call_id);
  const number = footnotesOf(result).find(({ callId }) => callId === check.call_id)?.number;
  const row = check.row === undefined ? '' : ` → row ${check.row + 1}`;
  const cell = check.column === undefined ? '' : `, ${sanitizeText(check.column)}${valueText(call, check)}`;
  return `  [${number ?? '?'}] ${sanitizeText(call?.name ?? 'a tool')}${row}${cell}  ${colors.green('✓')} found`;
}

function valueText(call: ToolCall | undefined, { row, column }: NumberCheck): string {
  const rows = fieldOf(call, 'rows') ?? call?.result;
  const found = Array.isArray(rows) && row !== undefined ? rows[row] : undefined;
  if (typeof found !== 'object' || found === null || Array.isArray(found) || column === undefined) return '';
  return ` = ${displayJson(found[column] ?? null, 80)}`;
}

function fieldOf(call: ToolCall | undefined, name: string): unknown {
  const result = call?.result;
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? result[name] : undefined;
}

/** Lists each figure with its source, or else each call. */
function shortAnswer(result: TurnResult): string {
  const { checks: all = [], tool_calls } = result;
  const checks = all.filter(isFigure);
  const places = Map.groupBy(checks, (check) => `  ${figureText(check)}${oneFigure(check, result)}`);
  const figures = [...places].map(([text, same]) => (same.length > 1 ? `${text}, ${same.length} times` : text));
  const calls = tool_calls.map((call) => `  ${sanitizeText(call.domain ?? call.name)}  ${outcomeText(call)}`);
  const passages = passageNotes(result.citations).map((note) => `  ${sanitizeText(note)}`);
  const listed = figures.length + passages.length > 0 ? [...figures, ...passages] : calls;
  const further = [...places.values()].slice(LISTED_FIGURES).flat().length;
  const left = listed !== calls ? further : Math.max(0, calls.length - LISTED_FIGURES);
  const more = left > 0 ? [`  … and ${left} more`] : [];
  const [first] = checks;
  const [cited] = result.citations ?? [];
  const advice = cited
    ? `/why ${cited.id} shows its words, /why all`
    : first
      ? `/why ${sanitizeText(first.text)} shows its query, /why all`
      : '/why all shows';
  return [
    ...readingLines(result),
    ...(listed.length === 0 ? ['  No tool was called for this answer.'] : listed.slice(0, LISTED_FIGURES)),
    ...more,
    colors.dim(`  ${advice} everything that led to the answer`),
  ].join('\n');
}

/** The line that says what was computed, and which words of the question became which part of it. */
function readingLines({ routing, tool_calls: calls }: TurnResult): string[] {
  const { reading } = routing ?? {};
  const own = calls.flatMap((call) => {
    const said = fieldOf(call, 'reading');
    return typeof said === 'string' ? [said] : [];
  });
  const echoes = reading && reading.echo !== '' ? [reading.echo] : own;
  const words = (reading?.spans ?? []).map(({ words: used, part }) => `${used} → ${part}`).join(' · ');
  const unused = reading?.not_understood ?? [];
  return [
    ...[...new Set(echoes)].map((echo) => `  computed    ${oneLine(echo)}`),
    ...(words === '' ? [] : [`  words       ${oneLine(words)}`]),
    ...(unused.length > 0 ? [`  not used    ${oneLine(unused.join(', '))}`] : []),
  ];
}

function figureText(check: NumberCheck): string {
  return check.found ? sanitizeText(check.text) : '';
}

function outcomeText(call: ToolCall): string {
  const args = shortArguments(call.sent_arguments ?? call.arguments);
  const end = call.error ? oneLine(call.error.message) : countResult(call) || call.state;
  return [args, `→ ${end}`].filter(Boolean).join('  ');
}

function oneLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim();
}

function wholeAnswer(result: TurnResult, isWindow: boolean): string {
  const intents = result.intents ?? (result.intent ? [result.intent] : []);
  const lines = [
    ...intents.map(({ name, confidence, parameters }) => {
      const sure = confidence === undefined ? '' : ` ${confidence.toFixed(2)}`;
      return `understood  ${name}${sure}  ${JSON.stringify(parameters)}`;
    }),
    ...(result.routing
      ? [
          `routed to   ${result.routing.identified_domains.join(', ') || 'no domain'} ${result.routing.confidence.toFixed(2)}  ${result.routing.reasoning}`,
        ]
      : []),
    ...readingLines(result).map((line) => line.trim()),
    `steps       ${result.iterations}, ended: ${result.finish_reason}`,
    ...(result.tool_calls.length === 0 ? ['tools       none was called'] : []),
    ...result.tool_calls.flatMap((call) => callDetails(call, [], isWindow ? undefined : WHOLE)),
    ...(result.sources.length > 0 ? [`sources     ${result.sources.join(', ')}`] : []),
    ...(result.checks ?? []).map(
      (check) =>
        `${isFigure(check) ? 'figure   ' : 'statement'}   ${check.text}  ${check.found ? 'found' : (check.reason ?? NOT_FOUND)}`,
    ),
  ];
  return lines.map((line) => `  ${sanitizeText(line)}`).join('\n');
}
