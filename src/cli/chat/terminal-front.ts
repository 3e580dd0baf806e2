import { sanitizeText } from '../../tools/sanitize.ts';
import type { Renderer } from '../render/renderer.ts';
import { createTerminalRenderer } from '../render/terminal-renderer.ts';
import { keepStyles, terminalColors } from '../terminal/colors.ts';
import type { Completer } from '../terminal/complete.ts';
import { createHistory } from '../terminal/history.ts';
import { createLineEditor } from '../terminal/line-editor.ts';
import { foldText } from '../terminal/spans.ts';
import { openTerminal } from '../terminal/terminal.ts';
import type { Front } from './chat.ts';

export interface TerminalFrontOptions {
  historyPath: string;
  complete: Completer;
  onInterrupt(): void;
  onOtherKey(): void;
}

/** A person at a terminal that can redraw lines. */
export function openTerminalFront(options: TerminalFrontOptions): Front {
  const terminal = openTerminal(process.stdin, process.stdout);
  const { screen } = terminal;
  let renderer: Renderer | undefined;
  let isBusy = false;
  const editor = createLineEditor({
    screen,
    history: createHistory(options.historyPath),
    complete: options.complete,
    onInterrupt: options.onInterrupt,
    onOtherKey: options.onOtherKey,
    onSuspend: () => terminal.suspend(),
  });
  terminal.onKey(editor.press);
  terminal.onResize((isLost) => {
    if (isBusy) renderer?.resized(isLost);
    editor.redraw();
  });
  return {
    isTerminal: true,
    keepsTyped: true,
    get width() {
      return screen.width;
    },
    read: editor.read,
    async ask(question) {
      terminal.showCursor(true);
      const answer = await editor.ask(question);
      terminal.showCursor(!isBusy);
      return answer;
    },
    print: (text) => screen.print(foldText(keepStyles(text), screen.width)),
    printExact: (text) => screen.print(keepStyles(text)),
    printError: (text) => screen.print(terminalColors.red(foldText(sanitizeText(text), screen.width))),
    createRenderer(choice) {
      renderer = createTerminalRenderer({ screen, colors: terminalColors, ...choice });
      return renderer;
    },
    setBusy(next) {
      isBusy = next;
      terminal.showCursor(!next);
    },
    end: editor.close,
    close: terminal.close,
  };
}
