import { emitKeypressEvents } from 'node:readline';
import type { Key } from './edit-line.ts';
import { createScreen, type Screen } from './screen.ts';

/** The terminal of this program, in raw mode until `close`. */
export interface Terminal {
  screen: Screen;
  onKey(listener: (character: string | undefined, key: Key) => void): void;
  /** `isLost` is true if the shown rows could not be kept in place. */
  onResize(listener: (isLost: boolean) => void): void;
  showCursor(isShown: boolean): void;
  /** Returns the terminal to the shell until this program is resumed. */
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
  const emitResized = () => resized(screen.resized());

  emitKeypressEvents(input);
  takeOver();
  input.resume();
  output.on('resize', emitResized);
  // Also runs when the program ends unexpectedly.
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
      // The shown rows stay above the shell's output, and are shown again below it.
      giveBack();
      process.once('SIGCONT', () => {
        takeOver();
        resized(true);
      });
      process.kill(process.pid, 'SIGTSTP');
    },
    close() {
      process.off('exit', giveBack);
      output.off('resize', emitResized);
      giveBack();
      input.removeAllListeners('keypress');
      input.pause();
    },
  };
}
