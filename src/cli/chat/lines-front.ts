import { createInterface } from 'node:readline';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createLinesRenderer } from '../render/plain-renderer.ts';
import { keepStyles } from '../terminal/colors.ts';
import { foldText } from '../terminal/spans.ts';
import type { Front, RendererChoice } from './chat.ts';

const WIDTH = 80;

/** A person at a terminal that only shows lines: a prompt, whole lines, no escape sequences. */
export function openLinesFront({ onInterrupt }: { onInterrupt(): void }): Front {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  const width = process.stdout.columns || WIDTH;
  const write = (text: string) => void process.stdout.write(text);
  const print = (text: string) => write(`${foldText(keepStyles(text), width)}\n`);
  const ask = async (question: string) => {
    write(question);
    const { value, done } = await iterator.next();
    return done ? undefined : String(value).trim();
  };
  process.on('SIGINT', onInterrupt);
  return {
    isTerminal: true,
    keepsTyped: false,
    width,
    read: () => ask('> '),
    ask,
    print,
    printExact: (text) => write(`${keepStyles(text)}\n`),
    printError: (text) => print(sanitizeText(text)),
    createRenderer: (choice: RendererChoice) => createLinesRenderer({ write, width, ...choice }),
    setBusy() {},
    end: () => lines.close(),
    close() {
      process.off('SIGINT', onInterrupt);
      lines.close();
    },
  };
}
