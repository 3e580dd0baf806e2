import pc from 'picocolors';
import type { Event } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import { displayJson, sanitizeText } from '../tools/sanitize.ts';

const MAX_ARGUMENT_CHARS = 60;

export interface Renderer {
  render(event: Event): void;
}

export interface RendererOptions {
  write(text: string): void;
  verbose?: boolean;
  /** The answer only. */
  quiet?: boolean;
}

/** Events as lines in a terminal; everything that came from outside is stripped of escapes first. */
export function createRenderer({ write, verbose = false, quiet = false }: RendererOptions): Renderer {
  const isMidLine = createLineWatch(write);
  /** The call whose line is still open; its outcome goes to the end of it. */
  let openLine: string | undefined;

  const line = (text: string) => {
    if (isMidLine.now()) isMidLine.write('\n');
    isMidLine.write(text);
  };
  const endCall = (call: ToolCall) => {
    const mark = call.state === 'completed' ? pc.green('✓') : pc.red('✗');
    const time = call.duration_ms === undefined ? '' : pc.dim(` ${call.duration_ms} ms`);
    const reason = call.error ? `  ${sanitizeText(call.error.message)}` : '';
    if (openLine === call.id) isMidLine.write(`  ${mark}${time}${reason}\n`);
    else line(`  ▸ ${sanitizeText(call.name)}  ${mark}${time}${reason}\n`);
    openLine = undefined;
    if (verbose && call.result !== undefined) isMidLine.write(pc.dim(`    ${displayJson(call.result)}\n`));
  };

  return {
    render(event) {
      switch (event.type) {
        case 'text-delta':
          isMidLine.write(sanitizeText(event.text));
          return;
        case 'tool-call-run': {
          if (quiet) return;
          const args = verbose ? displayJson(event.sent_arguments) : shortArguments(event.sent_arguments);
          line(`  ▸ ${sanitizeText(event.tool)}  ${pc.dim(args)}`);
          openLine = event.call_id;
          return;
        }
        case 'tool-call-end':
          if (!quiet) endCall(event.call);
          return;
        case 'notice':
          if (!quiet) line(pc.yellow(`  ${sanitizeText(event.text)}\n`));
          return;
        case 'turn-end':
          if (isMidLine.now()) isMidLine.write('\n');
          if (event.result.error) line(pc.red(`${sanitizeText(event.result.error.message)}\n`));
          if (event.result.status === 'cancelled') line(pc.dim('stopped\n'));
          if (event.result.warning && !quiet) line(pc.yellow(`${sanitizeText(event.result.warning)}\n`));
          return;
        default:
          return;
      }
    },
  };
}

/** Knows whether the cursor stands at the beginning of a line. */
function createLineWatch(write: (text: string) => void) {
  let isMid = false;
  return {
    now: () => isMid,
    write(text: string) {
      if (text === '') return;
      isMid = !text.endsWith('\n');
      write(text);
    },
  };
}

/** The arguments that a person wants to see: no ids, short texts. */
function shortArguments(args: JsonObject): string {
  const shown = Object.entries(args).filter(([name]) => !name.endsWith('_id'));
  const parts = shown.map(([name, value]) => `${sanitizeText(name)} ${displayJson(value)}`);
  const text = parts.join(', ');
  return text.length > MAX_ARGUMENT_CHARS ? `${text.slice(0, MAX_ARGUMENT_CHARS - 1)}…` : text;
}
