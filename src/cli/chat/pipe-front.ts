import { createInterface } from 'node:readline';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createPlainRenderer } from '../render/plain-renderer.ts';
import { jsonLine, type Renderer } from '../render/renderer.ts';
import { keepStyles } from '../terminal/colors.ts';
import type { Front, RendererChoice } from './chat.ts';

const WIDTH = 100;

/** Reads lines and writes answers; with `json` one event per line. Everything except the answer goes to stderr. */
export function openPipeFront({ json, onInterrupt }: { json: boolean; onInterrupt(): void }): Front {
  const lines = createInterface({ input: process.stdin });
  const iterator = lines[Symbol.asyncIterator]();
  const write = (text: string) => void process.stdout.write(text);
  const writeAside = (text: string) => void process.stderr.write(text);
  process.on('SIGINT', onInterrupt);
  const print = (text: string) => (json ? writeAside : write)(`${keepStyles(text).trimEnd()}\n`);
  return {
    isTerminal: false,
    keepsTyped: false,
    width: WIDTH,
    read: () => readMessage(iterator),
    ask: async () => undefined,
    print,
    printExact: print,
    printError(message, code) {
      if (json) write(jsonLine({ type: 'error', code, message }));
      else writeAside(`${sanitizeText(message)}\n`);
    },
    createRenderer: ({ verbose, quiet }: RendererChoice) =>
      json ? createJsonRenderer(write) : createPlainRenderer({ write, writeAside, verbose, quiet }),
    setBusy() {},
    end: () => lines.close(),
    close() {
      process.off('SIGINT', onInterrupt);
      lines.close();
    },
  };
}

/** A line that ends with a backslash continues in the next one. */
async function readMessage(lines: AsyncIterator<string>): Promise<string | undefined> {
  let text = '';
  for (;;) {
    const next = await lines.next();
    if (next.done) return text === '' ? undefined : text;
    if (!next.value.endsWith('\\')) return text + next.value;
    text += `${next.value.slice(0, -1)}\n`;
  }
}

export function createJsonRenderer(write: (text: string) => void): Renderer {
  return { render: (event) => write(jsonLine(event)), finish() {}, pause() {}, resized() {} };
}
