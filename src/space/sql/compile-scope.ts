import type { SQLInputValue } from 'node:sqlite';
import type { Comparison, Conditions, DataQuery, Period } from '../../schema/data-query.ts';
import { joinKey, type ModelJoin, type SpaceModel } from '../model/model.ts';
import { findPaths, type Place, resolveDimension } from '../model/resolve.ts';

/** A query that this model cannot express. The message is for people. */
export class NotExpressible extends Error {}

/** Collects the parameters of one statement. Values never become part of the SQL text. */
export interface Parameters {
  values: Record<string, SQLInputValue>;
  add(value: SQLInputValue): string;
}

export function createParameters(): Parameters {
  const values: Record<string, SQLInputValue> = {};
  return {
    values,
    add(value) {
      const name = `p${Object.keys(values).length + 1}`;
      values[name] = value;
      return `:${name}`;
    },
  };
}

export interface Compiling {
  model: SpaceModel;
  parameters: Parameters;
  /** `table.column` of time columns that hold months, such as 2025-10. */
  months: ReadonlySet<string>;
}

/** The FROM part of one subquery: a table, and each join that a condition or a group needs. */
export interface Scope {
  table: string;
  column(place: Place): string;
  /** A column of a table that the rows belong to. */
  columnOf(table: string, column: string): string;
  from(): string;
}

export function createScope({ model }: Pick<Compiling, 'model'>, table: string): Scope {
  const joins = new Map<string, string>();
  const follow = (path: readonly ModelJoin[]): string => {
    let alias = 't';
    for (const join of path) {
      const next = `${alias}_${join.role.replace(/\W/g, '_')}`;
      joins.set(next, `LEFT JOIN "${join.table}" ${next} ON ${next}."${joinKey(model, join)}" = ${alias}."${join.by}"`);
      alias = next;
    }
    return alias;
  };
  return {
    table,
    column: ({ path, column }) => `${follow(path)}."${column}"`,
    columnOf(other, column) {
      const paths = findPaths(model, table, other);
      if (paths.length > 1) throw new NotExpressible(`${other} belongs to ${table} in several ways`);
      const [path] = paths;
      if (!path) throw new NotExpressible(`${spell(other)} does not belong to ${spell(table)}`);
      return `${follow(path)}."${column}"`;
    },
    from: () => [`"${table}" t`, ...joins.values()].join(' '),
  };
}

export function spell(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The place of a dimension, or the reason why the rows of this table have none. */
export function placeOf(model: SpaceModel, table: string, dimension: string): Place {
  const resolved = resolveDimension(model, table, dimension);
  if (!resolved) throw new NotExpressible(`${spell(dimension)} does not belong to ${spell(table)}`);
  if ('ambiguous' in resolved)
    throw new NotExpressible(`${spell(dimension)} of ${spell(table)} may be ${resolved.ambiguous.join(' or ')}`);
  return resolved.place;
}

/** The conditions as SQL, each of them true for the rows that count. */
export function writeConditions(conditions: Conditions, scope: Scope, compiling: Compiling): string[] {
  const { model, parameters } = compiling;
  return [
    ...conditions.filters.map(({ dimension, values, negated }) => {
      const column = scope.column(placeOf(model, scope.table, dimension));
      if (values.length === 0) return `${column} IS ${negated ? 'NOT ' : ''}NULL`;
      const list = values.map((value) => parameters.add(value)).join(', ');
      return negated ? `(${column} IS NULL OR ${column} NOT IN (${list}))` : `${column} IN (${list})`;
    }),
    ...conditions.named.map(({ name, negated }) => {
      const condition = writeNamed(name, scope, compiling);
      return negated ? `NOT coalesce(${condition}, 0)` : condition;
    }),
    ...conditions.numbers.map(({ column, is, value }) => {
      const [table = '', name = ''] = column.split('.');
      return `${scope.columnOf(table, name)} ${SIGNS[is]} ${parameters.add(value)}`;
    }),
  ];
}

export const SIGNS: Readonly<Record<Comparison, string>> = {
  more: '>',
  at_least: '>=',
  less: '<',
  at_most: '<=',
  exactly: '=',
  not: '<>',
};

function writeNamed(name: string, scope: Scope, { model, parameters }: Compiling): string {
  const filter = model.filters.get(name);
  if (!filter) throw new NotExpressible(`there is no condition named ${name}`);
  if (filter.columns) {
    const home = filter.columns
      .map((text) => text.split('.'))
      .find(([table = '']) => findPaths(model, scope.table, table).length === 1);
    if (!home) throw new NotExpressible(`${name} does not belong to ${spell(scope.table)}`);
    return `${scope.columnOf(home[0] ?? '', home[1] ?? '')} = ${parameters.add(filter.is ?? null)}`;
  }
  if (filter.rows !== undefined) {
    return filter.rows.replace(/[a-z][a-z0-9_]*\.\w+/g, (text) => {
      const [table = '', column = ''] = text.split('.');
      return scope.columnOf(table, column);
    });
  }
  return writeEntityFilter({ of: filter.of ?? '', where: filter.where ?? '' }, scope, model);
}

/** "sum(stock.on_hand) < sum(stock.reorder_point)" of products: the keys of the products for which it holds. */
function writeEntityFilter({ of, where }: { of: string; where: string }, scope: Scope, model: SpaceModel): string {
  const fact = /\(([a-z][a-z0-9_]*)\./.exec(where)?.[1] ?? '';
  const join = model.tables.get(fact)?.joins.find(({ table }) => table === of);
  const key = model.tables.get(of)?.key[0];
  if (!join || key === undefined) throw new NotExpressible(`${spell(fact)} has no join to ${spell(of)}`);
  const having = where.replace(
    /([a-z][a-z0-9_]*)\.(\w+)/g,
    (_, table: string, column: string) => `"${table}"."${column}"`,
  );
  const keys = `SELECT "${join.by}" FROM "${fact}" GROUP BY "${join.by}" HAVING ${having}`;
  return `${scope.columnOf(of, key)} IN (${keys})`;
}

/** The date of a row, also where the column holds months. */
export function timeOf(scope: Scope, { model, months }: Compiling): string {
  const time = model.tables.get(scope.table)?.time;
  if (time === undefined) throw new NotExpressible(`${spell(scope.table)} has no dates`);
  return months.has(`${scope.table}.${time}`) ? `substr(t."${time}" || '-01', 1, 10)` : `t."${time}"`;
}

export function writePeriod(period: Period | null, scope: Scope, compiling: Compiling): string[] {
  if (!period) return [];
  const time = timeOf(scope, compiling);
  const { parameters } = compiling;
  return [`${time} >= ${parameters.add(period.from)}`, `${time} <= ${parameters.add(period.to)}`];
}

/** Keeps the entities that have no row in another table. */
export function writeWithout(
  { table, period, filters = [], named = [] }: NonNullable<DataQuery['without']>,
  { entityTable, key }: { entityTable: string; key: string },
  compiling: Compiling,
): string {
  const join = compiling.model.tables.get(table)?.joins.find((one) => one.table === entityTable);
  if (!join) throw new NotExpressible(`${spell(entityTable)} do not belong to ${spell(table)}`);
  const scope = createScope(compiling, table);
  const within = writePeriod(period, scope, compiling);
  const own = writeConditions({ filters, named, numbers: [] }, scope, compiling);
  const where = [...within, ...own, `t."${join.by}" IS NOT NULL`].join(' AND ');
  return `${key} NOT IN (SELECT t."${join.by}" FROM ${scope.from()} WHERE ${where})`;
}
