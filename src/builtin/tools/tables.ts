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
