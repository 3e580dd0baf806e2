import { sanitizeText } from '../tools/sanitize.ts';

export function print(text: string): void {
  process.stdout.write(`${sanitizeText(text)}\n`);
}

/** Prints beside the output: on stderr, where no program reads an answer. */
export function printAside(text: string): void {
  process.stderr.write(`${sanitizeText(text)}\n`);
}

export function warn(text: string): void {
  printAside(`warning: ${text}`);
}
