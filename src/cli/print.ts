import { sanitizeText } from '../tools/sanitize.ts';

export function print(text: string): void {
  process.stdout.write(`${sanitizeText(text)}\n`);
}

/** Prints beside the output: on stderr, where no program reads an answer. */
export function printAside(text: string): void {
  process.stderr.write(`${sanitizeText(text)}\n`);
}

/** Formats `1 row` or `2 rows`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}

export function warn(text: string): void {
  printAside(`warning: ${text}`);
}
