import { readFileSync } from 'node:fs';

/** Tables of English words in data/, each a text of one entry a line. */
export type TableName = 'concepts' | 'idioms' | 'situations' | 'kinds' | 'links';

const tables = new Map<TableName, readonly string[]>();

/** The lines of a table; a file is read once. */
export function readTable(name: TableName): readonly string[] {
  const known = tables.get(name);
  const lines =
    known ??
    readFileSync(new URL(`./data/${name}.txt`, import.meta.url), 'utf8')
      .trim()
      .split('\n');
  if (!known) tables.set(name, lines);
  return lines;
}

/** The entries behind every line whose head names one of the words: "room zone: kitchen, hall". */
export function readEntries(name: 'kinds' | 'links', words: readonly string[]): string[] {
  const found = readTable(name).flatMap((line) => {
    const [head = '', entries = ''] = line.split(': ');
    return head.split(' ').some((word) => words.includes(word)) ? entries.split(', ') : [];
  });
  return [...new Set(found)];
}

/** True for an example of a kind that none of the words names: "bedroom" is a room and no medicine. */
export function isOtherKind(value: string, words: readonly string[]): boolean {
  return readTable('kinds').some((line) => {
    const [head = '', entries = ''] = line.split(': ');
    return entries.split(', ').includes(value) && !head.split(' ').some((word) => words.includes(word));
  });
}

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
