import { isObject, type Json } from '../../schema/json.ts';
import { findNames, isName } from './find-names.ts';
import type { ResultTable } from './result-tables.ts';

/** Remarks of the spaces about their data, such as missing values, without duplicates. */
export function findDataNotes(results: readonly Json[], key: 'data_notes' | 'reasons' = 'data_notes'): string[] {
  const notes = results.flatMap((result) => (isObject(result) && Array.isArray(result[key]) ? result[key] : []));
  return [...new Set(notes.filter((note) => typeof note === 'string'))];
}

const MOST_ROWS = 50;
const SAYS_PART = /\b(?:top|first|last|highest|lowest|best|worst|most|least|among|such as|for example|\d+ of)\b/i;

/** Lists that leave out rows of their result without saying so: ten of twelve months. */
export function findShortLists(text: string, tables: readonly ResultTable[]): string[] {
  const lines = text
    .split('\n')
    .filter((line) => /^\s*(?:[-*|]|\d+[.)])/.test(line))
    .join('\n');
  return tables.flatMap((table) => {
    const { rows } = table;
    const column = Object.keys(rows[0] ?? {}).find((key) => isName(rows[0]?.[key]));
    const names = new Set(rows.map((row) => row[column ?? '']));
    const listed = new Set(findNames(lines, [table]).flatMap(({ name }) => (names.has(name) ? [name] : [])));
    const isShort = listed.size > 1 && listed.size < names.size && names.size <= MOST_ROWS && !SAYS_PART.test(text);
    return isShort ? [`The answer lists ${listed.size} of ${names.size} rows.`] : [];
  });
}
