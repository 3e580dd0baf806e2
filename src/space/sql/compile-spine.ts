import type { DataQuery } from '../../schema/data-query.ts';
import type { SpaceModel } from '../model/model.ts';
import { resolveDimension } from '../model/resolve.ts';
import { tableOf } from './compile-measure.ts';
import { type Compiling, createScope, placeOf, writeConditions, writeWithout } from './compile-scope.ts';

interface SpineInput {
  query: DataQuery;
  steps: readonly { alias: string }[];
  groups: number;
  fill: boolean;
}

/** The groups that the result has: those with rows, or all of an entity where "fewest" must find the zeros. */
export function spineOf(
  { query, steps, groups, fill }: SpineInput,
  compiling: Compiling,
): { sql: string; isFilled: boolean } {
  if (groups === 0) return { sql: 'SELECT 1', isFilled: false };
  const filled = fill && !query.grain && query.dimensions.length === 1 ? fillOf(query, compiling) : undefined;
  if (filled !== undefined) return { sql: filled, isFilled: true };
  const list = Array.from({ length: groups }, (_, index) => [`g${index + 1}`, `s${index + 1}`]).flat();
  const shown = list.map((name) => (name.startsWith('s') ? `min(${name}) AS ${name}` : name)).join(', ');
  const keys = list.filter((name) => name.startsWith('g'));
  const all = steps.map(({ alias }) => `SELECT ${list.join(', ')} FROM ${alias}`).join(' UNION ALL ');
  return { sql: `SELECT ${shown} FROM (${all}) GROUP BY ${keys.join(', ')}`, isFilled: false };
}

/**
 * Every value of the dimension in its own table, under the conditions of the question that hold for that table. The
 * measure's own condition is left out: "positive" has no complaints, and that is the fewest.
 */
function fillOf(query: DataQuery, compiling: Compiling): string {
  const { model } = compiling;
  const [name = ''] = query.dimensions;
  const [first] = query.measures;
  const fact = first ? tableOf(first, compiling) : '';
  const place = placeOf(model, fact, name);
  const entityTable = place.table;
  // A column of the counted rows themselves: a value that no row under the conditions has counts 0.
  const isOwn = place.path.length === 0 && place.key === undefined;
  const scope = createScope(compiling, entityTable);
  const own = {
    filters: query.filters.filter(({ dimension }) => {
      const resolved = resolveDimension(model, entityTable, dimension);
      return resolved !== undefined && 'place' in resolved;
    }),
    named: isOwn ? [] : query.named.filter(({ name: filter }) => isOfTable(filter, entityTable, model)),
    numbers: isOwn ? [] : query.numbers.filter(({ column }) => column.startsWith(`${entityTable}.`)),
  };
  const key = place.key === undefined ? `t."${place.column}"` : `t."${model.tables.get(entityTable)?.key[0]}"`;
  const where = [
    ...writeConditions(own, scope, compiling),
    ...(query.without && place.key !== undefined ? [writeWithout(query.without, { entityTable, key }, compiling)] : []),
    `${key} IS NOT NULL`,
  ];
  return `SELECT DISTINCT ${key} AS g1, t."${place.column}" AS s1 FROM ${scope.from()} WHERE ${where.join(' AND ')}`;
}

function isOfTable(name: string, table: string, model: SpaceModel): boolean {
  const filter = model.filters.get(name);
  return filter?.of === table || (filter?.columns?.some((text) => text.startsWith(`${table}.`)) ?? false);
}
