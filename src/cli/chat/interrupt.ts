import { terminalColors as colors } from '../terminal/colors.ts';
import type { Chat } from './chat.ts';

const INTERRUPTED = 130;

/** The first Ctrl+C stops the answer and keeps its text; the second leaves; the third exits without waiting. */
export function interrupt(chat: Chat): void {
  chat.interrupts++;
  if (chat.interrupts > 2) process.exit(INTERRUPTED);
  if (chat.interrupts === 2 || !chat.front.isTerminal) {
    process.exitCode = INTERRUPTED;
    chat.state = 'terminated';
    chat.stop?.();
    chat.front.end();
  } else if (chat.stop) chat.stop();
  else chat.front.print(colors.dim('press Ctrl+C again to leave'));
}
