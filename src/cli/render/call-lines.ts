import { isEnded, type ToolCall } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth, padTo, widthOf } from '../terminal/display-width.ts';
import { countResult, namedResult, shortArguments } from './short-arguments.ts';
import { showDuration } from './show-time.ts';

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
  const name = `▸ ${sanitizeText(call.domain ?? call.name)}`;
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
      // The person has just refused it, and the answer reports that.
      if (call.error?.error_type === 'PermissionDenied') return `${colors.red('✗')} denied`;
      return `${colors.red('✗')}${colors.dim(time)}${reason}`;
    case 'timeout':
      return `${colors.red('✗')}${colors.dim(time)}${reason}`;
  }
}

function oneLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim();
}

export function areAllEnded(lines: readonly CallLine[]): boolean {
  return lines.every(({ call }) => isEnded(call.state));
}
