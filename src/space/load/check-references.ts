import { didYouMean } from '../../yaml/did-you-mean.ts';
import type { Finding, Path } from '../../yaml/problem.ts';
import { joinsOf } from '../model/model.ts';
import type { LoadedTable } from './load-tables.ts';
import type { SpaceFile } from './space-file.ts';

/** A place of a space file that names a table, and mostly a column; figures are made of some of them. */
type Reference = { path: Path; table: string; column?: string; isFigure?: boolean };

/** Tables and columns that do not exist, and figures of texts. Columns are known when the files have been read. */
export function findWrongReferences(file: SpaceFile, loaded: readonly LoadedTable[] = []): Finding[] {
  const tables = Object.keys(file.tables);
  return [...tableReferences(file), ...modelReferences(file)].flatMap(({ path, table, column, isFigure }) => {
    if (!tables.includes(table)) return [{ path, message: `there is no table ${table}${suggest(table, tables)}` }];
    const read = loaded.find(({ name }) => name === table);
    if (!read || column === undefined) return [];
    const found = read.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase());
    const columns = read.columns.map(({ name }) => name);
    if (!found) return [{ path, message: `${table} has no column ${column}${suggest(column, columns)}` }];
    // A few texts among numbers are a note of the load, and of every answer that uses the column.
    const isNoted = read.notes.some((note) => note.column === found.name && note.text.includes('is read as text'));
    if (!isFigure || found.type !== 'text' || found.missing === read.rows || isNoted) return [];
    const advice = `take a column of numbers, or count rows with count: ${table}`;
    return [{ path, message: `${table}.${column} holds texts or dates, which give no figure; ${advice}` }];
  });
}

function suggest(name: string, known: readonly string[]): string {
  return didYouMean(name, known) || `; known here: ${known.join(', ')}`;
}

function tableReferences({ tables }: SpaceFile): Reference[] {
  return Object.entries(tables).flatMap(([table, entry]) => [
    ...(['key', 'label', 'time', 'indexes'] as const).flatMap((key) =>
      [entry[key] ?? []].flat(2).map((column) => ({ path: ['tables', table, key], table, column })),
    ),
    ...joinsOf(entry.joins, tables).flatMap(({ role, table: other, by }, at) => {
      const path = ['tables', table, 'joins', Array.isArray(entry.joins) ? at : role];
      return [{ path, table: other }, ...(by === '' ? [] : [{ path, table, column: by }])];
    }),
  ]);
}

function modelReferences({ measures, dimensions, filters }: SpaceFile): Reference[] {
  return Object.entries({ measures, dimensions, filters }).flatMap(([part, entries]) =>
    Object.entries(entries).flatMap(([name, entry]) => {
      const used = Object.entries(entry).flatMap(([key, value]) => referencesIn(value, [part, name, key]));
      const where = part === 'measures' ? Object.keys(Object(entry.where)) : [];
      const table = used[0]?.table ?? '';
      return [...used, ...where.map((column) => ({ path: [part, name, 'where', column], table, column }))];
    }),
  );
}

const PLAIN = ['columns', 'rows', 'where'];

/** The columns in `sum`, `columns` and similar keys. Two dates may be compared, but not added or compared with a number. */
function referencesIn(value: unknown, path: readonly string[]): Reference[] {
  const key = path[2] ?? '';
  if (typeof value === 'string' && ['count', 'of'].includes(key)) return [{ path, table: value }];
  const isWords = Array.isArray(value) && !['columns', 'ratio'].includes(key);
  if (isWords || ['unit', 'say', 'description', 'is'].includes(key)) return [];
  return [value].flat().flatMap((text, at) => {
    const found = typeof text === 'string' ? text.matchAll(/\b([a-z]\w*)\.([A-Za-z_]\w*)/g) : [];
    const isFigure = !PLAIN.includes(key) || /sum\(|[<>=]\s*-?\d/.test(String(text));
    const place = Array.isArray(value) ? [...path, at] : path;
    return [...found].map(([, table = '', column = '']) => ({ path: place, table, column, isFigure }));
  });
}
