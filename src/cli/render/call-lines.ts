import type { JsonObject } from '../../schema/json.ts';
import { isEnded, type ToolCall } from '../../schema/tool-call.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth, padTo, widthOf } from '../terminal/display-width.ts';
import { countResult, namedResult, shortArguments } from './short-arguments.ts';
import { showDuration } from './show-time.ts';

/** One call as it stands now. */
export interface CallLine {
  call: ToolCall;
  sent?: JsonObject;
  /** Monotonic, when it began to run. */
  startedAt?: number;
  progress?: string;
}

export interface CallLook {
  colors: Colors;
  width: number;
  /** Monotonic. */
  now: number;
  spinner: string;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Where the state of a call stands, if its arguments leave room. */
const STATE_COLUMN = 52;
const BETWEEN = '     ';

export function spinnerAt(frame: number): string {
  return SPINNER[frame % SPINNER.length] ?? '⠋';
}

/** Calls of one reply in their order: side by side when all fit into one row, else one below the other. */
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
  // A question that was passed on to a domain stands above already.
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
      return colors.yellow('? waits for you');
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
      // The person has just refused it, and the answer says so.
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
