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

type Entries = readonly { heads: ReadonlySet<string>; entries: readonly string[] }[];

const parsed = new Map<TableName, Entries>();

/** A table whose lines have heads: "room zone: kitchen, hall". */
function parseEntries(name: 'kinds' | 'links'): Entries {
  const known = parsed.get(name);
  const table =
    known ??
    readTable(name).map((line) => {
      const [heads = '', entries = ''] = line.split(': ');
      return { heads: new Set(heads.split(' ')), entries: entries.split(', ') };
    });
  if (!known) parsed.set(name, table);
  return table;
}

/** The entries of every line whose head names one of the words. */
export function readEntries(name: 'kinds' | 'links', words: readonly string[]): string[] {
  const lines = parseEntries(name).filter(({ heads }) => words.some((word) => heads.has(word)));
  return [...new Set(lines.flatMap(({ entries }) => entries))];
}

/** Idioms are short; in a long text a slash is not a division. */
const MAX_CHARS = 200;

const signs = new Map<TableName, readonly (readonly [RegExp, string])[]>();

/** The words that the idioms and the situations of a text may stand for; one text for each of them. */
export function readIdioms(text: string): string[] {
  return [...readOrders(text), ...wordsFor('situations', text)];
}

/** The same without the situations: "it is freezing" suggests a tool and orders nothing. */
export function readOrders(text: string): string[] {
  return wordsFor('idioms', text);
}

/** A line of these tables is a pattern, an arrow and the words. */
function wordsFor(name: 'idioms' | 'situations', text: string): string[] {
  if (text.length > MAX_CHARS) return [];
  const table = signs.get(name) ?? readTable(name).map(toSign);
  signs.set(name, table);
  return table.flatMap(([sign, words]) => (sign.test(text) ? [words] : []));
}

function toSign(line: string): readonly [RegExp, string] {
  const [pattern = '', words = ''] = line.split(' => ');
  return [new RegExp(pattern, 'i'), words];
}
