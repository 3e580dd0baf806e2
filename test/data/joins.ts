import type { Model, Row, Table } from './shop.ts';

/** A way from one table to another over many-to-one joins: the columns to follow, in order. */
interface Path {
  steps: readonly { from: string; by: string; to: string }[];
}

export class Unsupported extends Error {}

/** The shortest ways from a table to another one. */
function pathsTo(model: Model, from: string, to: string): Path[] {
  let found: Path[] = from === to ? [{ steps: [] }] : [];
  let open: { at: string; path: Path }[] = [{ at: from, path: { steps: [] } }];
  for (let depth = 0; depth < 4 && found.length === 0; depth++) {
    open = open.flatMap(({ at, path }) =>
      (model.tables.get(at)?.joins ?? []).map(({ table, by }) => ({
        at: table,
        path: { steps: [...path.steps, { from: at, by, to: table }] },
      })),
    );
    found = open.filter(({ at }) => at === to).map(({ path }) => path);
  }
  return found;
}

export type Reader = (row: Row) => Row | undefined;

/** Follows the joins from a row to the row of another table; undefined if there is no way, or several. */
export function readerTo(model: Model, from: string, to: string): { read: Reader; steps: number } | undefined {
  const paths = pathsTo(model, from, to);
  const [path] = paths;
  if (!path || paths.length > 1) return undefined;
  const read = path.steps.reduce<Reader>(
    (before, { by, to: next }) => {
      const index = indexOf(model.tables.get(next));
      return (row) => {
        const key = before(row)?.[by];
        return key === null || key === undefined ? undefined : index.get(String(key));
      };
    },
    (row) => row,
  );
  return { read, steps: path.steps.length };
}

const indexes = new WeakMap<Table, Map<string, Row>>();

function indexOf(table: Table | undefined): Map<string, Row> {
  if (!table) throw new Unsupported('a join leads to an unknown table');
  const known = indexes.get(table);
  if (known) return known;
  const [key = ''] = table.key;
  const index = new Map(table.rows.map((row) => [String(row[key]), row]));
  indexes.set(table, index);
  return index;
}

/** The table.column that a dimension means for rows of this table; undefined if it has none, or several. */
export function homeOf(model: Model, from: string, dimension: string): string | undefined {
  const candidates = columnsOf(model, dimension)
    .map((column) => ({ column, steps: readerTo(model, from, column.split('.')[0] ?? '')?.steps }))
    .filter((candidate) => candidate.steps !== undefined)
    .toSorted((a, b) => Number(a.steps) - Number(b.steps));
  const [first, second] = candidates;
  return first && first.steps !== second?.steps ? first.column : undefined;
}

/** The columns of a dimension, or the label of a table that is named like one of its rows. */
export function columnsOf(model: Model, dimension: string): readonly string[] {
  const declared = model.dimensions.get(dimension);
  if (declared) return declared.columns;
  const table = entityOf(model, dimension);
  return table?.label === undefined ? [] : [`${table.name}.${table.label}`];
}

/** The table whose rows this word names: product → products. */
export function entityOf(model: Model, word: string): Table | undefined {
  return [...model.tables.values()].find(
    (table) => table.label !== undefined && (table.name === word || table.label === word || table.names.includes(word)),
  );
}
