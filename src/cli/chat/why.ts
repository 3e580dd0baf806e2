import type { ToolCall } from '../../schema/tool-call.ts';
import type { NumberCheck, TurnResult } from '../../schema/turn.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { callDetails } from '../render/call-details.ts';
import { footnotesOf } from '../render/footnotes.ts';
import { terminalColors as colors } from '../terminal/colors.ts';

/** Where an answer comes from: one figure of it, or all that led to it. */
export function whyText(result: TurnResult | undefined, wanted: string): string {
  if (!result) return 'There is no answer yet.';
  if (wanted === '') return wholeAnswer(result);
  const checks = (result.checks ?? []).filter((check) => plain(check.text).includes(plain(wanted)));
  if (checks.length === 0) return `"${sanitizeText(wanted)}" is no figure of the last answer that was looked for.`;
  return checks.map((check) => oneFigure(check, result)).join('\n');
}

function plain(text: string): string {
  return text.replace(/[\s,%$€]/g, '').toLowerCase();
}

function oneFigure(check: NumberCheck, result: TurnResult): string {
  const text = sanitizeText(check.text);
  if (!check.found) return `  ${text}  ${colors.red('✗')} in no result of a tool`;
  const call = result.tool_calls.find(({ id }) => id === check.call_id);
  const number = footnotesOf(result).find(({ callId }) => callId === check.call_id)?.number;
  const row = check.row === undefined ? '' : ` → row ${check.row + 1}`;
  const cell = check.column === undefined ? '' : `, ${sanitizeText(check.column)}${valueText(call, check)}`;
  const head = `  [${number ?? '?'}] ${sanitizeText(call?.name ?? 'a tool')}${row}${cell}  ${colors.green('✓')} found`;
  const query = fieldOf(call, 'sql_query');
  return typeof query === 'string' ? `${head}\n      ${colors.dim(sanitizeText(query).replace(/\s+/g, ' '))}` : head;
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

function wholeAnswer(result: TurnResult): string {
  const intents = result.intents ?? (result.intent ? [result.intent] : []);
  const lines = [
    ...intents.map(({ name, confidence, parameters }) => {
      const sure = confidence === undefined ? '' : ` ${confidence.toFixed(2)}`;
      return `understood  ${name}${sure}  ${JSON.stringify(parameters)}`;
    }),
    ...(result.routing
      ? [
          `routed to   ${result.routing.identified_domains.join(', ')} ${result.routing.confidence.toFixed(2)}  ${result.routing.reasoning}`,
        ]
      : []),
    `steps       ${result.iterations}, ended: ${result.finish_reason}`,
    ...(result.tool_calls.length === 0 ? ['tools       none was called'] : []),
    ...result.tool_calls.flatMap((call) => callDetails(call, [])),
    ...(result.sources.length > 0 ? [`sources     ${result.sources.join(', ')}`] : []),
    ...(result.checks ?? []).map((check) => `figure      ${check.text}  ${check.found ? 'found' : 'in no result'}`),
  ];
  return lines.map((line) => `  ${sanitizeText(line)}`).join('\n');
}
