import { emitKeypressEvents } from 'node:readline';
import type { Key } from './edit-line.ts';
import { createScreen, type Screen } from './screen.ts';

/** The terminal that this program runs in, taken over until `close`. */
export interface Terminal {
  screen: Screen;
  onKey(listener: (character: string | undefined, key: Key) => void): void;
  /** True when what was shown could not be kept in place. */
  onResize(listener: (isLost: boolean) => void): void;
  showCursor(isShown: boolean): void;
  /** Hands the terminal to the shell until this program is brought back. */
  suspend(): void;
  close(): void;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';
export const CURSOR_ON = '\u001b[?25h';
export const CURSOR_OFF = '\u001b[?25l';

export function openTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal {
  const screen = createScreen(output);
  let resized: (isLost: boolean) => void = () => {};
  let isCursorShown = true;
  const takeOver = () => {
    input.setRawMode(true);
    output.write(`${PASTE_ON}${isCursorShown ? CURSOR_ON : CURSOR_OFF}`);
  };
  const giveBack = () => {
    screen.commit();
    output.write(`${PASTE_OFF}${CURSOR_ON}`);
    input.setRawMode(false);
  };
  const tellResized = () => resized(screen.resized());

  emitKeypressEvents(input);
  takeOver();
  input.resume();
  output.on('resize', tellResized);
  // Also when the program ends in a way that nobody planned.
  process.once('exit', giveBack);

  return {
    screen,
    onKey: (listener) => void input.on('keypress', listener),
    onResize(listener) {
      resized = listener;
    },
    showCursor(isShown) {
      isCursorShown = isShown;
      output.write(isShown ? CURSOR_ON : CURSOR_OFF);
    },
    suspend() {
      // What is shown stays above what the shell writes, and is shown again below it.
      giveBack();
      process.once('SIGCONT', () => {
        takeOver();
        resized(true);
      });
      process.kill(process.pid, 'SIGTSTP');
    },
    close() {
      process.off('exit', giveBack);
      output.off('resize', tellResized);
      giveBack();
      input.removeAllListeners('keypress');
      input.pause();
    },
  };
}
