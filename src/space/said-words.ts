import { kindOf, readAskedWords, type WordKind } from './asked-words.ts';
import type { QueryRows } from './guarded-database.ts';
import type { QuestionMatch } from './match-question.ts';
import { valueKey } from './vocabulary.ts';

/** What a trusted question and its result speak of. */
export interface Said {
  /** The words of the question and of the other ways to ask it. */
  words: ReadonlySet<string>;
  roots: ReadonlySet<string>;
  /** The roots of the names of the result's columns. */
  columns: ReadonlySet<string>;
  /** These names themselves, in words. */
  columnNames: readonly string[];
  /** Those of them that the result has a row for each of. */
  groups: ReadonlySet<string>;
  /** The roots of the names of the columns that say what a row is about. */
  keys: ReadonlySet<string>;
  /** Whether these columns hold names or the numbers of things, and no measure. */
  hasNames: boolean;
  isBreakdown: boolean;
  /** Whether a figure for all rows together is given. */
  hasWhole: boolean;
  isOverTime: boolean;
  /** Only the first of its rows are given. */
  isLimited: boolean;
  hasKind(kind: WordKind): boolean;
  /** Whether one of the first rows is the row of this value. */
  shows(key: string, rows: number): boolean;
  /** Whether a row is about something that is called this: a "Harbor Street Store" is a store. */
  isAbout(root: string): boolean;
}

const WHOLE = /^(?:all|overall|total)_/;
const TIME = /^(?:day|week|month|quarter|year|date)/;

export function readSaid({ question, filled }: QuestionMatch, { columns, rows }: QueryRows): Said {
  const texts = [question.question, ...question.examples].map((text) => text.replace(/\{\w+\}/g, ' '));
  const spoken = texts.flatMap(readAskedWords);
  const named = filled.named.flatMap((name) => {
    const parameter = question.parameters[name];
    return [name, parameter?.type === 'value' ? (parameter.column.split('.')[1] ?? '') : ''];
  });
  const roots = new Set([...spoken.map(({ root }) => root), ...named.flatMap(rootsOf)]);
  const groups = new Set(groupsOf(question.sql, columns).flatMap(rootsOf));
  const isKey = columns.map((column) => rootsOf(column).some((root) => groups.has(root)));
  const firstText = columns.findIndex((_, index) => rows.some((row) => typeof row[index] === 'string'));
  const isNaming = groups.size > 0 ? isKey : columns.map((_, index) => index === firstText);
  return {
    words: new Set(spoken.map(({ word }) => word)),
    roots,
    columns: new Set(columns.flatMap(rootsOf)),
    columnNames: columns.map((column) => column.replaceAll('_', ' ')),
    groups,
    keys: groups.size > 0 ? groups : new Set(rootsOf(columns[firstText] ?? '')),
    hasNames: columns.some(
      (column, index) => isNaming[index] && (/_id$/.test(column) || rows.some((row) => typeof row[index] === 'string')),
    ),
    isBreakdown: groups.size > 0 && rows.length > 1,
    hasWhole: rows.length <= 1 || columns.some((column, index) => WHOLE.test(column) && isSameInAll(rows, index)),
    isOverTime: [...groups].some((root) => TIME.test(root)),
    isLimited: /\bLIMIT\b/i.test(question.sql),
    hasKind: (kind) => spoken.some((word) => kindOf(word) === kind),
    shows: (key, count) =>
      rows
        .slice(0, count)
        .some((row) => row.some((cell, index) => isKey[index] && valueKey(readAskedWords(String(cell))) === key)),
    isAbout: (root) =>
      rows.some((row) =>
        row.some((cell, index) => isNaming[index] && readAskedWords(String(cell)).some((word) => word.root === root)),
      ),
  };
}

/** What each customer spent in total is no figure for all of them. */
function isSameInAll(rows: QueryRows['rows'], index: number): boolean {
  return rows.every((row) => row[index] === rows[0]?.[index]);
}

function rootsOf(name: string): string[] {
  return readAskedWords(name.replaceAll('_', ' ')).map(({ root }) => root);
}

/** What the rows are told apart by, in words. */
export function groupNamesOf(sql: string, columns: readonly string[]): string[] {
  return groupsOf(sql, columns).map((name) => name.replaceAll('_', ' '));
}

/** What the outermost query groups by; a place in the list of columns stands for its name. */
function groupsOf(sql: string, columns: readonly string[]): string[] {
  const lists = [...sql.matchAll(/\bGROUP BY\s+([\w\s.,"]+?)(?=\s*(?:\bORDER\b|\bHAVING\b|\bLIMIT\b|[);]|$))/gi)];
  const names = (lists.at(-1)?.[1] ?? '').split(',').map((name) => name.trim().split('.').at(-1) ?? '');
  return names
    .map((name) => (/^\d+$/.test(name) ? (columns[Number(name) - 1] ?? '') : name.replaceAll('"', '')))
    .map((name) => name.replace(/_id$/, ''))
    .filter((name) => name !== '');
}
