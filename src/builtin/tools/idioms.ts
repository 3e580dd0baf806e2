import { readTable } from './tables.ts';

/** Idioms are short; in a long text a slash is not a division. */
const MAX_CHARS = 200;

const patterns = new Map<string, RegExp>();

/** The words that the idioms and the situations of a text may stand for; one text for each of them. */
export function readIdioms(text: string): string[] {
  return [...readOrders(text), ...wordsFor('situations', text)];
}

/** The same without the situations: "it is freezing" suggests a tool and orders nothing. */
export function readOrders(text: string): string[] {
  return wordsFor('idioms', text);
}

function wordsFor(name: 'idioms' | 'situations', text: string): string[] {
  if (text.length > MAX_CHARS) return [];
  return readTable(name).flatMap((line) => {
    const [pattern = '', words = ''] = line.split(' => ');
    return patternOf(pattern).test(text) ? [words] : [];
  });
}

function patternOf(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, 'i');
  patterns.set(source, pattern);
  return pattern;
}
