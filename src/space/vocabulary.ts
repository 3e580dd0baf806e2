import { rootOf } from '../builtin/words.ts';
import { readAskedWords } from './asked-words.ts';
import type { KnownValues } from './fill-parameters.ts';
import type { Space } from './load-space.ts';
import type { SqlRunner } from './sql-runner.ts';

/** The words of a space's own data: what its columns are called and what they hold. */
export interface Vocabulary {
  /** For the parameters. */
  known: KnownValues;
  /** A value as `valueKey` writes it → its column. */
  values: ReadonlyMap<string, string>;
  /** The roots of the names of columns that things can be told apart by. */
  columns: ReadonlySet<string>;
  /** What the space is about: the roots of its title and of its tables' names. */
  topic: ReadonlySet<string>;
  /** The roots of its title alone. */
  title: ReadonlySet<string>;
}

const MAX_KNOWN = 2_000;
/** A column with more values than this holds names or texts, not kinds. */
const MAX_KINDS = 300;
const MAX_VALUE_WORDS = 4;

/** Reads the values of every column that a parameter names, and of every other one that sorts rows into kinds. */
export async function readVocabulary({ file }: Space, runner: SqlRunner): Promise<Vocabulary> {
  const parameters = file.questions.flatMap((question) => Object.values(question.parameters));
  const named = new Set(parameters.flatMap((parameter) => (parameter.type === 'value' ? [parameter.column] : [])));
  const texts = (await runner.load()).flatMap(({ name, columns }) =>
    columns.filter(({ type }) => type === 'text').map((column) => `${name}.${column.name}`),
  );
  const known = new Map<string, string[]>();
  const values = new Map<string, string>();
  const columns = new Set<string>();
  for (const column of new Set([...named, ...texts])) {
    const timeoutMs = file.limits.timeout_seconds * 1000;
    const isNamed = named.has(column);
    const found = await readValues(column, { maxRows: isNamed ? MAX_KNOWN : MAX_KINDS, runner, timeoutMs });
    if ('failure' in found && isNamed) throw new Error(found.reason);
    if ('failure' in found) continue;
    if (isNamed) known.set(column, found.values);
    if (found.isCut || found.values.every(isDate)) continue;
    for (const word of nameOf(column).split('_')) columns.add(rootOf(word));
    for (const value of found.values) addValue(values, value, nameOf(column));
  }
  const title = rootsOf(file.title);
  const tables = rootsOf(Object.keys(file.tables).join(' ').replaceAll('_', ' '));
  return { known, values, columns, topic: new Set([...title, ...tables]), title: new Set(title) };
}

interface ReadOptions {
  maxRows: number;
  runner: SqlRunner;
  timeoutMs: number;
}

async function readValues(column: string, { maxRows, runner, timeoutMs }: ReadOptions) {
  const [table, name] = column.split('.');
  const sql = `SELECT DISTINCT "${name}" FROM "${table}" WHERE "${name}" IS NOT NULL`;
  const outcome = await runner.query({ sql, parameters: {}, maxRows, timeoutMs });
  if ('failure' in outcome) return outcome;
  return { values: outcome.rows.rows.map(([value]) => String(value)), isCut: outcome.rows.isCut };
}

function addValue(values: Map<string, string>, value: string, column: string): void {
  const words = readAskedWords(value);
  if (words.length > 0 && words.length <= MAX_VALUE_WORDS && !values.has(valueKey(words))) {
    values.set(valueKey(words), column);
  }
}

/** One spelling for "Tote Bags", "tote bag" and "tote-bags". */
export function valueKey(words: readonly { root: string }[]): string {
  return words.map(({ root }) => root).join(' ');
}

function rootsOf(text: string): string[] {
  return readAskedWords(text).map(({ root }) => root);
}

function nameOf(column: string): string {
  return column.split('.')[1] ?? column;
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}/.test(value);
}
