import type { DataQuery, Grain, Period, QueryMeasure } from '../../schema/data-query.ts';
import { joinKey, type Measure } from '../model/model.ts';
import { findPaths } from '../model/resolve.ts';
import {
  type Compiling,
  createScope,
  NotExpressible,
  placeOf,
  type Scope,
  spell,
  timeOf,
  writeConditions,
  writePeriod,
  writeWithout,
} from './compile-scope.ts';

/** A group of the result: an expression to group by, and another one to show. */
interface GroupColumn {
  name: string;
  by: string;
  shown: string;
}

export function findMeasure(name: string, { model }: Pick<Compiling, 'model'>): Measure {
  const measure = model.measures.get(name);
  if (!measure) throw new NotExpressible(`there is no measure named ${name}`);
  return measure;
}

/** The table whose rows a measure is computed from. */
export function tableOf({ name, among }: QueryMeasure, compiling: Pick<Compiling, 'model'>): string {
  return among ?? findMeasure(name, compiling).table;
}

function groupColumns(query: DataQuery, scope: Scope, compiling: Compiling): GroupColumn[] {
  const groups = query.dimensions.map((name) => {
    const place = placeOf(compiling.model, scope.table, name);
    const shown = scope.column(place);
    const last = place.path.at(-1);
    // An entity is grouped by its key: two products may have one name.
    const by =
      place.key === undefined
        ? shown
        : last
          ? scope.column({ path: place.path.slice(0, -1), table: '', column: last.by })
          : `t."${place.key}"`;
    return { name: columnName(name), by, shown };
  });
  if (!query.grain) return groups;
  const bucket = writeBucket(timeOf(scope, compiling), query.grain);
  return [{ name: query.grain, by: bucket, shown: bucket }, ...groups];
}

function writeBucket(time: string, grain: Grain): string {
  switch (grain) {
    case 'day':
      return time;
    case 'week':
      return `date(${time}, 'weekday 0', '-6 days')`;
    case 'month':
      return `substr(${time}, 1, 7)`;
    case 'quarter':
      return `substr(${time}, 1, 4) || '-Q' || ((substr(${time}, 6, 2) + 2) / 3)`;
    case 'year':
      return `substr(${time}, 1, 4)`;
  }
}

export function columnName(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '_');
}

interface Asking {
  query: DataQuery;
  period: Period | null;
}

/** SQL of one measure, aggregated on its own table: groups as g1, g2, …, shown as s1, s2, …, the value as v, the rows as n. */
export function compileMeasure(asked: QueryMeasure, { query, period }: Asking, compiling: Compiling): string {
  const measure = findMeasure(asked.name, compiling);
  const scope = createScope(compiling, tableOf(asked, compiling));
  const groups = groupColumns(query, scope, compiling);
  const own = asked.among === null ? writeWhere(measure, scope, compiling) : [];
  const where = [
    ...own,
    ...writeConditions(query, scope, compiling),
    ...writePeriod(period, scope, compiling),
    ...writeExcluded(query, scope, compiling),
    ...writeLevel(measure, { query, scope, compiling }, period),
    // Rows without a value of the group belong to none of its groups.
    ...groups.map(({ shown: text }) => `${text} IS NOT NULL`),
  ];
  const value = writeValue(asked, measure, { query, scope, compiling });
  const columns = Object.entries(value).map(([name, sql]) => `${sql} AS ${name}`);
  const shown = groups.flatMap(({ by, shown: text }, index) => [
    `${by} AS g${index + 1}`,
    `min(${text}) AS s${index + 1}`,
  ]);
  const by = groups.map((group) => group.by);
  return [
    `SELECT ${[...shown, ...columns, 'count(*) AS n'].join(', ')} FROM ${scope.from()}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(by.length > 0 ? [`GROUP BY ${by.join(', ')}`] : []),
  ].join(' ');
}

function writeWhere({ where }: Measure, scope: Scope, { parameters }: Compiling): string[] {
  return Object.entries(where).map(
    ([column, value]) => `${scope.columnOf(scope.table, column)} = ${parameters.add(value)}`,
  );
}

interface Inside {
  query: DataQuery;
  scope: Scope;
  compiling: Compiling;
}

/** A level such as stock is read at the newest moment of a period or of each time bucket; it is never summed over time. */
function writeLevel({ isLevel }: Measure, { query, scope, compiling }: Inside, period: Period | null): string[] {
  if (!isLevel) return [];
  const inner = createScope(compiling, scope.table);
  const time = timeOf(inner, compiling);
  const within = writePeriod(period, inner, compiling);
  const where = within.length > 0 ? ` WHERE ${within.join(' AND ')}` : '';
  const grouped = query.grain ? ` GROUP BY ${writeBucket(time, query.grain)}` : '';
  return [`${timeOf(scope, compiling)} IN (SELECT max(${time}) FROM ${inner.from()}${where}${grouped})`];
}

function writeValue(asked: QueryMeasure, measure: Measure, inside: Inside): Record<string, string> {
  const { query, scope, compiling } = inside;
  if (query.share === 'of_whole' || query.share === 'beside_rest') return writePart(asked, measure, inside);
  const value = aggregate(asked, measure, scope, compiling);
  if (query.per === null) return { v: value };
  const each = isUnit(query.per)
    ? writeUnits(query, compiling, scope)
    : `count(DISTINCT ${entityKey(query.per, scope, compiling)})`;
  return { v: `${value} * 1.0 / nullif(${each}, 0)`, whole: value, each };
}

const UNITS = ['day', 'week', 'month'] as const;

function isUnit(per: string): per is (typeof UNITS)[number] {
  return UNITS.some((unit) => unit === per);
}

/** The days, weeks or months of the period, or of the data where none is named. */
function writeUnits({ per, period }: DataQuery, { model, parameters, months }: Compiling, scope: Scope): string {
  const first = period ? parameters.add(period.from) : `min(${timeOf(scope, { model, parameters, months })})`;
  const last = period ? parameters.add(period.to) : `max(${timeOf(scope, { model, parameters, months })})`;
  const days = `(julianday(${last}) - julianday(${first}) + 1)`;
  if (per === 'day') return days;
  if (per === 'week') return `(${days} / 7.0)`;
  const monthsOf = (day: string) => `(substr(${day}, 1, 4) * 12 + substr(${day}, 6, 2))`;
  return `(${monthsOf(last)} - ${monthsOf(first)} + 1)`;
}

/** Groups other than the entity itself leave out its rows: customers by region who have not ordered. */
function writeExcluded({ without, dimensions }: DataQuery, scope: Scope, compiling: Compiling): string[] {
  const { model } = compiling;
  const isEntity = dimensions.some((name) => placeOf(model, scope.table, name).key !== undefined);
  if (!without || isEntity) return [];
  const key = `t."${model.tables.get(scope.table)?.key[0]}"`;
  return [writeWithout(without, { entityTable: scope.table, key }, compiling)];
}

/** The key of an entity as a column of the rows: t."customer_id". */
function entityKey(noun: string, scope: Scope, { model }: Compiling): string {
  const entity = model.dimensions.get(noun)?.entity;
  const paths = entity === undefined ? [] : findPaths(model, scope.table, entity);
  const [path] = paths;
  if (!path || paths.length > 1) throw new NotExpressible(`${noun} does not belong to ${spell(scope.table)}`);
  const last = path.at(-1);
  if (!last) return `t."${model.tables.get(entity ?? '')?.key[0]}"`;
  return scope.column({ path: path.slice(0, -1), table: '', column: last.by });
}

function aggregate(asked: QueryMeasure, measure: Measure, scope: Scope, compiling: Compiling, only?: string): string {
  const pick = (sql: string) => (only === undefined ? sql : `CASE WHEN ${only} THEN ${sql} END`);
  if (asked.distinct != null)
    return `count(DISTINCT ${pick(scope.column(placeOf(compiling.model, scope.table, asked.distinct)))})`;
  if (asked.among !== null) return `count(DISTINCT ${pick(amongKey(measure, scope, compiling))})`;
  const [first, second] = measure.expressions.map((text) => text.replace(/\b[a-z_]\w*/gi, (name) => `t."${name}"`));
  const kind = kindOf(asked, measure);
  switch (kind) {
    case 'count':
      return only === undefined ? 'count(*)' : `count(${pick('1')})`;
    case 'sum':
      return `sum(${pick(first ?? '1')})`;
    case 'share':
    case 'average':
      return `avg(${pick(`(${first})`)})`;
    case 'ratio':
      return `sum(${pick(first ?? '')}) * 1.0 / nullif(sum(${pick(second ?? '')}), 0)`;
    case 'highest':
      return `max(${pick(first ?? '')})`;
    case 'lowest':
      return `min(${pick(first ?? '')})`;
  }
}

function kindOf({ aggregate: asked }: QueryMeasure, measure: Measure): Measure['kind'] {
  if (asked === null || measure.kind === 'ratio') return measure.kind;
  if (asked === 'count' || measure.kind === 'count') return 'count';
  if (asked === 'highest' || asked === 'lowest') return asked;
  return asked === 'total' ? 'sum' : 'average';
}

function amongKey(measure: Measure, scope: Scope, { model }: Compiling): string {
  const paths = findPaths(model, scope.table, measure.table);
  const last = paths[0]?.at(-1);
  if (!last || paths.length > 1)
    throw new NotExpressible(`${spell(measure.table)} do not belong to ${spell(scope.table)}`);
  return paths[0]?.length === 1
    ? `t."${last.by}"`
    : scope.columnOf(measure.table, joinKey({ tables: model.tables }, last));
}

/** The measure of the rows under `part`, beside that of all the others or as a share of the whole. */
function writePart(asked: QueryMeasure, measure: Measure, { query, scope, compiling }: Inside): Record<string, string> {
  const only = writeConditions(query.part ?? { filters: [], named: [], numbers: [] }, scope, compiling)
    .map((text) => `(${text})`)
    .join(' AND ');
  if (only === '') throw new NotExpressible('a share needs the part that it is of');
  const part = aggregate(asked, measure, scope, compiling, only);
  if (query.share === 'beside_rest')
    return { v: part, rest: aggregate(asked, measure, scope, compiling, `NOT coalesce((${only}), 0)`) };
  const whole = aggregate(asked, measure, scope, compiling);
  return { v: `coalesce(${part}, 0) * 1.0 / nullif(${whole}, 0)`, part: `coalesce(${part}, 0)`, whole };
}
