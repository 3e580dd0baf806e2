import type { TurnResult } from '../../schema/conversation/turn.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createStreamCleaner } from '../../tools/stream-cleaner.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { callDetails, callRows } from './call-lines.ts';
import { drawingRows } from './drawing-rows.ts';
import { createSpeakerLine, type Renderer } from './renderer.ts';
import { resultRows } from './result-rows.ts';

export interface PlainOptions {
  write(text: string): void;
  /** Receives everything except the answer. */
  writeAside(text: string): void;
  verbose?: boolean;
  quiet?: boolean;
}

/** For pipes and files: the answer unchanged, everything else to `writeAside`. */
export function createPlainRenderer({ write, writeAside, verbose = false, quiet = false }: PlainOptions): Renderer {
  const cleaner = createStreamCleaner(sanitizeText);
  let isMidLine = false;
  let hasText = false;
  const put = (text: string) => {
    if (text === '') return;
    write(text);
    isMidLine = !text.endsWith('\n');
    hasText = true;
  };
  const endLine = () => {
    put(cleaner.end());
    if (isMidLine) put('\n');
  };
  const aside = (text: string) => {
    if (!quiet) writeAside(`${sanitizeText(text)}\n`);
  };

  const announce = createSpeakerLine(aside);
  return {
    render(event) {
      announce(event);
      if (event.type === 'text-delta') put(cleaner.push(event.text));
      if (event.type === 'step-end') endLine();
      if (event.type === 'notice') aside(event.text);
      if (event.type === 'file') aside(`${event.file.filename}: ${event.file.verdict}, ${event.file.detail}`);
      if (event.type === 'tool-call-end' && verbose) aside(callDetails(event.call, []).join('\n'));
    },
    finish(result: TurnResult) {
      endLine();
      if (result.error) writeAside(`${sanitizeText(result.error.message)}\n`);
      else if (!hasText && result.content.trim() !== '') put(`${sanitizeText(result.content)}\n`);
      if (result.warning) aside(result.warning);
    },
    pause: endLine,
    resized() {},
  };
}

export interface LinesRendererOptions {
  write(text: string): void;
  width: number;
  verbose: boolean;
  quiet: boolean;
}

/** Shows a turn as lines that never change: text as it arrives, and each call when it has ended. */
export function createLinesRenderer({ write, width, verbose, quiet }: LinesRendererOptions): Renderer {
  const plain = createPlainRenderer({ write, writeAside: write, verbose, quiet });
  const print = (rows: readonly string[]) => {
    for (const row of rows) write(`${row}\n`);
  };
  return {
    ...plain,
    render(event) {
      plain.render(event);
      if (event.type !== 'tool-call-end' || quiet) return;
      plain.pause();
      print(callRows([{ call: event.call }], { colors, width, now: 0, spinner: '' }));
    },
    finish(result, status) {
      plain.finish(result);
      if (result.status === 'cancelled') print(['stopped']);
      if (quiet) return;
      print(drawingRows(result, { colors, width, isPlain: true }));
      print(resultRows(result, { colors, width }));
      if (status) print([`  ${status}`]);
    },
  };
}
