import { DatabaseSync } from 'node:sqlite';
import { loadTables } from '../load/load-tables.ts';
import type { TableFile } from '../load/read-table.ts';

/** The facts about a column that a draft is made from. */
export interface ColumnProfile {
  name: string;
  kind: 'number' | 'flag' | 'day' | 'month' | 'text';
  isWhole: boolean;
  missing: number;
  distinct: number;
  min: number | string | null;
  max: number | string | null;
  /** Some values, for recognising other date formats. */
  examples: string[];
}

export interface TableProfile {
  name: string;
  /** The name of the CSV file. */
  file: string;
  rows: number;
  columns: ColumnProfile[];
}

/** Loads CSV files into a temporary database and looks at every column. Throws with file and line like any load. */
export async function profileTables(
  files: readonly (TableFile & { file: string })[],
  folder: string,
): Promise<{ profiles: TableProfile[]; database: DatabaseSync }> {
  const { path } = await loadTables(folder, 'draft', files);
  const database = new DatabaseSync(path, { readOnly: true });
  const profiles = files.map(({ name, file }) => {
    const columns = database.prepare('SELECT name, lower(type) AS type FROM pragma_table_info(?)').all(name);
    const rows = Number(database.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.count);
    const profiled = columns.map((column) =>
      profileColumn(database, name, { name: String(column.name), type: String(column.type) }),
    );
    return { name, file, rows, columns: profiled };
  });
  return { profiles, database };
}

const EXAMPLES = 20;

function profileColumn(
  database: DatabaseSync,
  table: string,
  { name, type }: { name: string; type: string },
): ColumnProfile {
  const facts = database
    .prepare(
      `SELECT count(*) - count("${name}") AS missing, count(DISTINCT "${name}") AS distinct_values, min("${name}") AS least, max("${name}") AS most, sum("${name}" GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*') AS days, sum("${name}" GLOB '[12][0-9][0-9][0-9]-[01][0-9]') AS months, count("${name}") AS present FROM "${table}"`,
    )
    .get();
  const examples = database
    .prepare(`SELECT DISTINCT "${name}" AS value FROM "${table}" WHERE "${name}" IS NOT NULL LIMIT ${EXAMPLES}`)
    .all()
    .map(({ value }) => String(value));
  const [min, max] = [facts?.least, facts?.most].map((value) =>
    typeof value === 'number' || typeof value === 'string' ? value : null,
  );
  return {
    name,
    kind: kindOf(type, facts ?? {}),
    isWhole: type === 'integer',
    missing: Number(facts?.missing),
    distinct: Number(facts?.distinct_values),
    min: min ?? null,
    max: max ?? null,
    examples,
  };
}

function kindOf(type: string, facts: Record<string, unknown>): ColumnProfile['kind'] {
  const { least, most, present, days, months, distinct_values: distinct } = facts;
  if (type !== 'text') return least === 0 && most === 1 && distinct === 2 ? 'flag' : 'number';
  if (present === 0) return 'text';
  return days === present ? 'day' : months === present ? 'month' : 'text';
}

const OTHER_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/;

/** Things that keep a column from being used, with what to do. */
export function findHints(profiles: readonly TableProfile[]): string[] {
  return profiles.flatMap(({ file, columns }) =>
    columns.flatMap(({ name, kind, examples }) => {
      if (kind !== 'text' || examples.length === 0 || !examples.every((value) => OTHER_DATE.test(value))) return [];
      return [
        `${name} of ${file} looks like dates such as ${examples[0]}; write them as 2025-12-31 to ask for periods.`,
      ];
    }),
  );
}
