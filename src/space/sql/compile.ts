import type { SQLInputValue } from 'node:sqlite';
import type { ColumnFormat } from '../../schema/column-format.ts';
import type { DataQuery, Having, QueryMeasure } from '../../schema/data-query.ts';
import type { Measure, SpaceModel } from '../model/model.ts';
import { toPlural } from '../model/nouns.ts';
import { columnName, compileMeasure, findMeasure } from './compile-measure.ts';
import { type Compiling, createParameters, NotExpressible, SIGNS } from './compile-scope.ts';
import { spineOf } from './compile-spine.ts';

export interface CompiledQuery {
  sql: string;
  parameters: Record<string, SQLInputValue>;
  formats: Record<string, ColumnFormat>;
  /** The column of the first measure, by which rows are ranked. */
  value: string;
}

export interface CompileOptions {
  model: SpaceModel;
  months?: ReadonlySet<string>;
}

/**
 * Turns a query into one SELECT. Each measure is aggregated on its own table first, and the results are joined on the
 * groups, so that no row is counted twice. Throws `NotExpressible` with the reason.
 */
export function compileQuery(query: DataQuery, { model, months = new Set() }: CompileOptions): CompiledQuery {
  const compiling: Compiling = { model, parameters: createParameters(), months };
  const counted = countedEntity(query, model);
  const built = counted ? compileCounted(query, counted, compiling) : compileGroups(query, compiling);
  return { ...built, parameters: compiling.parameters.values };
}

export function canCompile(query: DataQuery, options: CompileOptions): boolean {
  try {
    compileQuery(query, options);
    return true;
  } catch (error) {
    if (error instanceof NotExpressible) return false;
    throw error;
  }
}

/** "How many customers have more than 5 orders": the entity that is counted under a condition on its own figures. */
function countedEntity({ measures, dimensions, grain, having, without }: DataQuery, model: SpaceModel) {
  const [first] = measures;
  const measure = model.measures.get(first?.name ?? '');
  const isCount = measures.length === 1 && measure?.isRowCount && dimensions.length === 0 && !grain;
  if (!isCount || (having.length === 0 && !without)) return undefined;
  const entity = [...model.dimensions.values()].find(({ entity: table }) => table === measure.table);
  return entity && { noun: entity.name, measure };
}

function compileCounted(
  query: DataQuery,
  { noun, measure }: { noun: string; measure: Measure },
  compiling: Compiling,
): Omit<CompiledQuery, 'parameters'> {
  const name = columnName(measure.unit);
  if (query.share !== 'none') throw new NotExpressible('a share of those that fulfil a condition on their own figures');
  const measures = query.having.map((having) => ({ name: having.measure, aggregate: null, among: null }));
  const inner = compileGroups(
    {
      ...query,
      measures: measures.length > 0 ? measures : query.measures,
      dimensions: [noun],
      order: null,
      limit: null,
    },
    compiling,
    true,
  );
  return { sql: `SELECT count(*) AS "${name}" FROM (${inner.sql})`, formats: {}, value: name };
}

interface Column {
  measure: Measure;
  asked: QueryMeasure;
  alias: string;
  name: string;
  isAdditive: boolean;
}

function compileGroups(query: DataQuery, compiling: Compiling, needsAll = false): Omit<CompiledQuery, 'parameters'> {
  const columns = columnsOf(query, compiling);
  const steps = columns.flatMap(({ asked, alias }) => [
    { alias, sql: compileMeasure(asked, { query, period: query.period }, compiling) },
    ...(query.compare
      ? [{ alias: `${alias}b`, sql: compileMeasure(asked, { query, period: query.compare }, compiling) }]
      : []),
  ]);
  const groups = [...(query.grain ? [query.grain as string] : []), ...query.dimensions.map(columnName)];
  const [first] = columns;
  if (!first) throw new NotExpressible('a query needs a measure');
  const isLow = query.order?.direction === 'lowest' || query.having.some(({ is, value }) => is !== 'more' || value < 0);
  const spine = spineOf(
    { query, steps, groups: groups.length, fill: needsAll || isLow || query.without !== null },
    compiling,
  );
  const built = { columns, groups, first, isFilled: spine.isFilled, compiling };
  const outputs = outputsOf(query, built);
  const joins = steps.map(({ alias }) =>
    groups.length === 0
      ? `CROSS JOIN ${alias}`
      : `LEFT JOIN ${alias} ON ${groups.map((_, index) => `${alias}.g${index + 1} IS s.g${index + 1}`).join(' AND ')}`,
  );
  const ranked = rankOf(query, built);
  const withs = [...steps.map(({ alias, sql }) => `${alias} AS (${sql})`), `s AS (${spine.sql})`];
  const inner = `SELECT ${[...outputs.list.map(({ sql, name }) => `${sql} AS "${name}"`), ...ranked.extra].join(', ')} FROM s ${joins.join(' ')}${ranked.where}`;
  const names = outputs.list.map(({ name }) => `"${name}"`).join(', ');
  const sql = `WITH ${withs.join(', ')} SELECT ${names} FROM (${inner})${ranked.outer} ORDER BY ${orderOf(query, built)}`;
  return { sql, formats: outputs.formats, value: first.name };
}

function columnsOf(query: DataQuery, compiling: Compiling): Column[] {
  const more = query.having.filter((having) => !query.measures.some(({ name }) => name === having.measure));
  const asked = [...query.measures, ...more.map(({ measure }) => ({ name: measure, aggregate: null, among: null }))];
  const names = new Set<string>();
  return asked.map((one, index) => {
    const measure = findMeasure(one.name, compiling);
    const base = columnName(nameOf(one, measure, query));
    const name = names.has(base) ? `${base}_${index + 1}` : base;
    names.add(name);
    const isAdditive =
      (measure.kind === 'sum' || measure.kind === 'count') && one.aggregate !== 'average' && query.per === null;
    return { measure, asked: one, alias: `m${index + 1}`, name, isAdditive };
  });
}

function nameOf({ aggregate, among, distinct }: QueryMeasure, measure: Measure, query: DataQuery): string {
  if (distinct != null) return toPlural(distinct);
  const base = measure.isRowCount ? measure.unit : measure.name;
  if (query.share === 'of_whole') return `share of ${base}`;
  if (query.per !== null) return `${base} per ${query.per}`;
  if (among !== null) return base;
  const isNamed = aggregate === null || measure.name.startsWith(aggregate) || measure.isRowCount;
  return isNamed ? base : `${aggregate} ${base}`;
}

interface Built {
  columns: readonly Column[];
  groups: readonly string[];
  first: Column;
  isFilled: boolean;
  compiling: Compiling;
}

const PERCENT = { unit: 'percent' };
const COUNT = { unit: 'count' };

function outputsOf(query: DataQuery, { columns, groups, isFilled, compiling }: Built) {
  const formats: Record<string, ColumnFormat> = {};
  const list: { sql: string; name: string }[] = groups.map((name, index) => ({ sql: `s.s${index + 1}`, name }));
  const add = (name: string, sql: string, { unit, currency }: Pick<Measure, 'unit' | 'currency'>) => {
    list.push({ name, sql: unit === 'count' ? sql : `round(${sql}, ${currency ? 2 : 6})` });
    const format = unit === 'percent' ? 'percent' : currency;
    if (format) formats[name] = format;
  };
  for (const { measure, alias, name, isAdditive } of columns) {
    const value = isAdditive && isFilled ? `coalesce(${alias}.v, 0)` : `${alias}.v`;
    const isShare = query.share === 'of_whole';
    add(name, value, isShare ? PERCENT : measure);
    if (query.share === 'beside_rest') add(`${name}_of_the_rest`, `${alias}.rest`, measure);
    const base = columnName(measure.isRowCount ? measure.unit : measure.name);
    if (isShare) {
      add(`part_of_${base}`, `${alias}.part`, measure);
      add(`all_${base}`, `${alias}.whole`, measure);
    }
    if (query.share === 'of_group') add(`share_of_${base}`, `${value} * 1.0 / sum(${value}) OVER ()`, PERCENT);
    if (query.per !== null) {
      add(base, `${alias}.whole`, measure);
      add(columnName(toPlural(query.per)), `${alias}.each`, COUNT);
    }
    if (query.compare) {
      add(`${name}_before`, `${alias}b.v`, measure);
      add(`${name}_change`, `${value} - ${alias}b.v`, measure);
      add(`${name}_change_in_percent`, growthOf(value, alias), PERCENT);
    }
    // The rows behind an average, so that a small group is visible.
    const noun = compiling.model.tables.get(measure.table)?.noun;
    if (measure.kind === 'average' || measure.kind === 'share') {
      const count = noun === undefined ? `${name}_rows` : columnName(toPlural(noun));
      if (!list.some((one) => one.name === count)) add(count, `${alias}.n`, COUNT);
    }
  }
  return { list, formats };
}

function growthOf(value: string, alias: string): string {
  return `${value} * 1.0 / nullif(${alias}b.v, 0) - 1`;
}

function havingOf(query: DataQuery, { columns, isFilled, compiling: { parameters } }: Built): string[] {
  return query.having.map(({ measure, is, value }: Having) => {
    const column = columns.find((one) => one.measure.name === measure);
    const sql = column?.isAdditive && isFilled ? `coalesce(${column.alias}.v, 0)` : `${column?.alias}.v`;
    return `${sql} ${SIGNS[is]} ${parameters.add(value)}`;
  });
}

/** Ranks by the ordered measure; equal values share a rank, so that a tie is never cut. */
function rankOf(query: DataQuery, built: Built) {
  const { columns, first, isFilled } = built;
  const { order, limit, limit_within: within } = query;
  const by = columns.find(({ measure }) => measure.name === order?.by) ?? first;
  const own = by.isAdditive && isFilled ? `coalesce(${by.alias}.v, 0)` : `${by.alias}.v`;
  const value = order?.of == null ? own : order.of === 'change' ? `${own} - ${by.alias}b.v` : growthOf(own, by.alias);
  const known = order
    ? [
        `${value} IS NOT NULL`,
        ...query.dimensions.map((_, index) => `s.s${index + 1 + (query.grain ? 1 : 0)} IS NOT NULL`),
      ]
    : [];
  const conditions = [...havingOf(query, built), ...known];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  if (!order || limit === null) return { extra: [], where, outer: '' };
  const direction = order.direction === 'lowest' ? 'ASC' : 'DESC';
  // An average of three rows wins easily: groups with too few rows come last.
  const few = by.measure.minRows > 1 ? `(${by.alias}.n < ${by.measure.minRows}), ` : '';
  const partition = within === null ? '' : `PARTITION BY s.s${groupIndex(query, within)} `;
  return {
    extra: [`rank() OVER (${partition}ORDER BY ${few}${value} ${direction}) AS place`],
    where,
    outer: ` WHERE place <= ${limit}`,
  };
}

function groupIndex({ grain, dimensions }: DataQuery, within: string): number {
  const names = [...(grain ? ['time'] : []), ...dimensions];
  const at = names.indexOf(within === grain ? 'time' : within);
  if (at < 0) throw new NotExpressible(`${within} is not among the groups`);
  return at + 1;
}

function orderOf(query: DataQuery, { groups, first, compiling: { model } }: Built): string {
  const names = groups.map((name) => `"${name}"`);
  const value = `"${first.name}"`;
  const within = query.limit_within === null ? [] : [names[groupIndex(query, query.limit_within) - 1] ?? ''];
  if (query.order && query.limit !== null) return [...within, 'place', ...names].join(', ');
  if (query.order) {
    const name =
      query.measures.findIndex(({ name: measure }) => measure === query.order?.by) > 0
        ? columnName(query.order.by)
        : `${first.name}${query.order.of == null ? '' : query.order.of === 'change' ? '_change' : '_change_in_percent'}`;
    return [...within, `"${name}" ${query.order.direction === 'lowest' ? 'ASC' : 'DESC'}`, ...names].join(', ');
  }
  if (query.grain) return names.join(', ');
  const own = model.dimensions.get(query.dimensions[0] ?? '')?.order ?? [];
  if (own.length === 0) return names.length === 0 ? '1' : [`${value} DESC`, ...names].join(', ');
  const cases = own.map((text, index) => `WHEN '${text.replaceAll("'", "''")}' THEN ${index}`).join(' ');
  return `CASE ${names[0]} ${cases} ELSE ${own.length} END, ${names.join(', ')}`;
}
