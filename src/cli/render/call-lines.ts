import { isEnded, type ToolCall } from '../../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { count } from '../print.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth, padTo, widthOf } from '../terminal/display-width.ts';

const MAX_VALUE_CHARS = 60;

/** The arguments that matter to a person: no ids, short texts, formatted dates. */
export function shortArguments(args: JsonObject): string {
  return Object.entries(args)
    .filter(([name, value]) => !/(^|_)id$/.test(name) && value !== null && value !== '')
    .map(([name, value]) => showArgument(sanitizeText(name), value))
    .join(', ');
}

function showArgument(name: string, value: Json): string {
  if (typeof value === 'string' && isDate(value)) return `${name.replace(/_(date|at)$/, '')} ${showDate(value)}`;
  const text = typeof value === 'string' ? JSON.stringify(sanitizeText(value)) : sanitizeText(JSON.stringify(value));
  return `${name} ${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS - 1)}…` : text}`;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T[\d:.+-]+Z?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

function showDate(text: string): string {
  const isWholeDay = text.length === 10;
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const time = isWholeDay ? { timeZone: 'UTC' } : ({ hour: '2-digit', minute: '2-digit' } as const);
  return new Intl.DateTimeFormat('en-GB', { ...options, ...time }).format(new Date(text)).replaceAll(',', '');
}

/** The name of the thing that a call returned, for calls whose arguments show nothing. */
function namedResult({ result }: ToolCall): string {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return '';
  const name = result.title ?? result.name;
  return typeof name === 'string' ? sanitizeText(name).slice(0, MAX_VALUE_CHARS) : '';
}

/** The size of a call's result: rows of a table, items of a list. */
export function countResult({ result }: ToolCall): string {
  if (Array.isArray(result)) return count(result.length, 'item');
  if (typeof result !== 'object' || result === null) return '';
  return Array.isArray(result.rows) ? count(result.rows.length, 'row') : '';
}

interface Preview {
  lines: number;
  chars: number;
}

const PREVIEW: Preview = { lines: 12, chars: 1200 };
/** No limit. */
export const WHOLE: Preview = { lines: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };

/** The details that `-v` adds to an ended call: the model's arguments, the bound ones, and the result. */
export function callDetails(call: ToolCall, overridden: readonly string[], preview = PREVIEW): string[] {
  const detail = (name: string, text: string) => detailLines(name, text, preview.lines);
  const filled = filledIn(call.arguments, call.sent_arguments ?? call.arguments);
  return [
    `${sanitizeText(call.name)}  ${sanitizeText(call.id)}`,
    ...detail('arguments', displayJson(call.arguments, preview.chars)),
    ...(filled === '' ? [] : [`  filled in  ${filled}`]),
    ...(overridden.length > 0 ? [`  replaced   ${sanitizeText(overridden.join(', '))}, written by the model`] : []),
    ...(call.error ? detail('error', `${call.error.error_type}: ${sanitizeText(call.error.message)}`) : []),
    ...(call.result === undefined ? [] : detail('result', displayJson(call.result, preview.chars))),
  ];
}

function filledIn(args: JsonObject, sent: JsonObject): string {
  return Object.entries(sent)
    .filter(([name, value]) => JSON.stringify(args[name]) !== JSON.stringify(value))
    .map(([name, value]) => sanitizeText(`${name} = ${displayJson(value, 80)}`))
    .join(', ');
}

function detailLines(name: string, text: string, maxLines: number): string[] {
  const lines = text.split('\n');
  const shown = lines.slice(0, maxLines);
  const left = lines.length > shown.length ? [`… ${lines.length - shown.length} more lines`] : [];
  return [...shown, ...left].map((line, index) => `  ${(index === 0 ? name : '').padEnd(9)}  ${line}`);
}

/** The current state of one call. */
export interface CallLine {
  call: ToolCall;
  sent?: JsonObject;
  /** Monotonic time of the call's start. */
  startedAt?: number;
  progress?: string;
}

export interface CallLook {
  colors: Colors;
  width: number;
  /** Monotonic time. */
  now: number;
  spinner: string;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** The column of a call's state, if its arguments leave room. */
const STATE_COLUMN = 52;
const BETWEEN = '     ';

export function spinnerAt(frame: number): string {
  return SPINNER[frame % SPINNER.length] ?? '⠋';
}

/** The calls of one reply in order: side by side if all fit into one row, else one per row. */
export function callRows(lines: readonly CallLine[], look: CallLook): string[] {
  if (lines.length > 1) {
    const cells = lines.map((line) => callCell(line, { ...look, width: look.width }, 0));
    const row = `  ${cells.join(BETWEEN)}`;
    if (widthOf(row) <= look.width) return [row];
  }
  return lines.map((line) => `  ${callCell(line, { ...look, width: look.width - 2 }, STATE_COLUMN)}`);
}

function callCell(line: CallLine, look: CallLook, stateColumn: number): string {
  const { colors, width } = look;
  const state = showState(line, look);
  const { call, sent } = line;
  // The question to a domain is already shown above.
  const args = call.domain ? '' : shortArguments(sent ?? call.arguments) || namedResult(call);
  const name = `▸ ${sanitizeText(call.domain ?? call.delegation?.agent ?? call.name)}`;
  const room = Math.max(4, width - Math.min(width - 8, widthOf(state)) - 2);
  const shownName = cutToWidth(name.replaceAll('\n', ' '), room);
  const shownArgs = cutToWidth(args.replaceAll('\n', ' '), Math.max(0, room - widthOf(shownName) - 2));
  const head = shownArgs === '' ? shownName : `${shownName}  ${colors.dim(shownArgs)}`;
  return `${padTo(head, Math.min(stateColumn, room))}  ${state}`;
}

function showState({ call, startedAt, progress }: CallLine, { colors, now, spinner, width }: CallLook): string {
  const time = call.duration_ms === undefined ? '' : ` ${showDuration(call.duration_ms)}`;
  const reason = call.error ? `  ${cutToWidth(oneLine(call.error.message), Math.max(10, width - 40))}` : '';
  switch (call.state) {
    case 'pending':
      return colors.dim('·');
    case 'waiting':
      return colors.yellow('? waiting for you');
    case 'running': {
      const elapsed = startedAt === undefined ? '' : ` ${showDuration(now - startedAt)}`;
      const note = progress ? `  ${cutToWidth(oneLine(progress), 30)}` : '';
      return `${colors.cyan(spinner)}${colors.dim(elapsed + note)}`;
    }
    case 'completed': {
      const amount = countResult(call);
      return `${colors.green('✓')}${colors.dim(`${time}${amount === '' ? '' : `  ${amount}`}`)}`;
    }
    case 'unknown':
      return `${colors.yellow('?')}${colors.dim(time)}${reason}`;
    case 'failed':
    case 'timeout':
      // The person has just refused it, and the answer reports that.
      if (call.error?.error_type === 'PermissionDenied') return `${colors.red('✗')} denied`;
      return `${colors.red('✗')}${colors.dim(time)}${reason}`;
  }
}

function oneLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim();
}

export function areAllEnded(lines: readonly CallLine[]): boolean {
  return lines.every(({ call }) => isEnded(call.state));
}

/** Formats a duration: 4 ms, 0.2 s, 12 s. */
export function showDuration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
