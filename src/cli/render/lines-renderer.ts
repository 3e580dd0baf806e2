import { terminalColors as colors } from '../terminal/colors.ts';
import { callRows } from './call-lines.ts';
import { drawingRows } from './drawing-rows.ts';
import { createPlainRenderer } from './plain-renderer.ts';
import type { Renderer } from './renderer.ts';
import { resultRows } from './result-rows.ts';

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
