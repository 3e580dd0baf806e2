import type { TurnResult } from '../../schema/conversation/turn.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createStreamCleaner } from '../../tools/stream-cleaner.ts';
import { callDetails } from './call-details.ts';
import type { Renderer } from './renderer.ts';

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

  return {
    render(event) {
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
