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
  /** Those of them that the result has a row for each of. */
  groups: ReadonlySet<string>;
  isBreakdown: boolean;
  isOverTime: boolean;
  /** Only the first of its rows are given. */
  isLimited: boolean;
  hasKind(kind: WordKind): boolean;
  /** Whether one of the first rows is the row of this value. */
  shows(key: string, rows: number): boolean;
}

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
  const keys = columns.map((column) => rootsOf(column).some((root) => groups.has(root)));
  return {
    words: new Set(spoken.map(({ word }) => word)),
    roots,
    columns: new Set(columns.flatMap(rootsOf)),
    groups,
    isBreakdown: groups.size > 0 && rows.length > 1,
    isOverTime: [...groups].some((root) => TIME.test(root)),
    isLimited: /\bLIMIT\b/i.test(question.sql),
    hasKind: (kind) => spoken.some((word) => kindOf(word) === kind),
    shows: (key, count) =>
      rows
        .slice(0, count)
        .some((row) => row.some((cell, index) => keys[index] && valueKey(readAskedWords(String(cell))) === key)),
  };
}

function rootsOf(name: string): string[] {
  return readAskedWords(name.replaceAll('_', ' ')).map(({ root }) => root);
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
