import { terminalColors as colors } from '../terminal/colors.ts';
import type { Chat } from './chat.ts';

const INTERRUPTED = 130;

/** Ctrl+C once stops the answer and keeps its text; twice leaves; a third one does not wait for anything. */
export function interrupt(chat: Chat): void {
  chat.interrupts++;
  if (chat.interrupts > 2) process.exit(INTERRUPTED);
  if (chat.interrupts === 2 || !chat.front.isTerminal) {
    process.exitCode = INTERRUPTED;
    chat.state = 'terminated';
    chat.stop?.();
    chat.front.end();
  } else if (chat.stop) chat.stop();
  else chat.front.print(colors.dim('Ctrl+C again leaves'));
}
