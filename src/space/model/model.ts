import { isCurrency } from '../../schema/column-format.ts';
import {
  type DimensionFile,
  type FilterFile,
  MeasureFile,
  type TableMeaning,
  type VerifiedFile,
} from './model-file.ts';
import { toPlural, toSingular } from './nouns.ts';

/** A many-to-one join from a column of one table to the key of another. */
export interface ModelJoin {
  role: string;
  table: string;
  by: string;
  synonyms: readonly string[];
  usual: boolean;
}

export interface ModelTable {
  name: string;
  /** The noun for one row. */
  noun: string;
  key: readonly string[];
  label?: string | undefined;
  synonyms: readonly string[];
  good?: 'up' | 'down' | undefined;
  time?: string | undefined;
  snapshot: boolean;
  joins: readonly ModelJoin[];
}

type MeasureKind = 'sum' | 'average' | 'count' | 'share' | 'ratio' | 'highest' | 'lowest';

/** A figure of one table. A table's own rows are a measure too: `number of orders`. */
export interface Measure {
  name: string;
  table: string;
  kind: MeasureKind;
  /** Columns without their table, combined by + - * /; the second one divides in a ratio. */
  expressions: readonly string[];
  where: Readonly<Record<string, string | number>>;
  unit: string;
  /** The format of an amount of money: the code of its currency, or `money` where it is unknown. */
  currency?: string | undefined;
  good?: 'up' | 'down' | undefined;
  synonyms: readonly string[];
  highest: readonly string[];
  lowest: readonly string[];
  isLevel: boolean;
  overTime?: string | undefined;
  minRows: number;
  /** True for the count of a table's rows, which is not declared. */
  isRowCount: boolean;
  description?: string | undefined;
}

/** Something to group or filter by: a column in one or several tables, or an entity with its key and label. */
export interface Dimension {
  name: string;
  synonyms: readonly string[];
  homes: readonly { table: string; column: string }[];
  /** The table whose rows it is, for an entity. */
  entity?: string | undefined;
  /** The join that it names, for one of several joins to the same entity. */
  role?: string | undefined;
  values: Readonly<Record<string, readonly string[]>>;
  say: Readonly<Record<string, string>>;
  order: readonly string[];
}

export type Filter = FilterFile & { name: string };

/** A semantic model with everything that follows from its file. */
export interface SpaceModel {
  space: string;
  today: string;
  tables: ReadonlyMap<string, ModelTable>;
  measures: ReadonlyMap<string, Measure>;
  dimensions: ReadonlyMap<string, Dimension>;
  filters: ReadonlyMap<string, Filter>;
  verified: readonly VerifiedFile[];
}

/** The parts of a space file that a model is made from. */
export interface ModelSource {
  name: string;
  today: string;
  tables: Record<string, TableMeaning>;
  measures: Record<string, MeasureFile>;
  dimensions: Record<string, DimensionFile>;
  filters: Record<string, FilterFile>;
  verified: VerifiedFile[];
}

export function createModel(file: ModelSource): SpaceModel {
  const tables = new Map(Object.entries(file.tables).map(([name, entry]) => [name, toTable(name, entry, file)]));
  const declared = Object.entries(file.measures).map(([name, entry]) => toMeasure(name, entry));
  const counts = [...tables.values()].filter(isCounted).map(toRowCount);
  const own = Object.entries(file.dimensions).map(([name, entry]) => toDimension(name, entry));
  const entities = [...tables.values()].flatMap((table) => toEntity(table, tables));
  return {
    space: file.name,
    today: file.today,
    tables,
    measures: new Map([...declared, ...counts].map((measure) => [measure.name, measure])),
    dimensions: new Map([...entities, ...own].map((dimension) => [dimension.name, dimension])),
    filters: new Map(Object.entries(file.filters).map(([name, filter]) => [name, { ...filter, name }])),
    verified: file.verified,
  };
}

/** True if questions can be composed from it. A file of trusted questions alone has no keys. */
export function hasMeasures(file: Pick<ModelSource, 'measures' | 'tables'>): boolean {
  return Object.keys(file.measures).length > 0 || Object.values(file.tables).some(({ key }) => key !== undefined);
}

/** The noun of one row: orders → order. */
export function nounOf(table: string): string {
  const words = table.replaceAll('_', ' ').split(' ');
  return [...words.slice(0, -1), toSingular(words.at(-1) ?? '')].join(' ');
}

function toTable(name: string, entry: TableMeaning, { tables }: Pick<ModelSource, 'tables'>): ModelTable {
  const key = entry.key === undefined ? [] : [entry.key].flat();
  const { label, synonyms, good, time, snapshot } = entry;
  const joins = joinsOf(entry.joins, tables);
  return { name, noun: entry.say ?? nounOf(name), key, label, synonyms, good, time, snapshot, joins };
}

/** The joins of a table: by the column that has the name of the other table's key, where none is named. */
export function joinsOf(joins: TableMeaning['joins'], tables: Record<string, Pick<TableMeaning, 'key'>>): ModelJoin[] {
  const keyOf = (table: string) => [tables[table]?.key ?? ''].flat()[0] ?? '';
  const plain = (role: string, table: string) => ({ role, table, by: keyOf(table), synonyms: [], usual: false });
  if (Array.isArray(joins)) return joins.map((table) => plain(nounOf(table), table));
  return Object.entries(joins).map(([role, join]) =>
    typeof join === 'string' ? plain(role, join) : { role, ...join },
  );
}

export function joinKey(model: Pick<SpaceModel, 'tables'>, join: ModelJoin): string {
  return model.tables.get(join.table)?.key[0] ?? join.by;
}

/** Rows with a key of their own, or with a noun, are things that people count. */
function isCounted({ key, name, noun }: ModelTable): boolean {
  return key.length === 1 || noun !== nounOf(name);
}

function toMeasure(name: string, entry: MeasureFile): Measure {
  const [kind, texts] = kindOf(entry);
  const table = (texts[0] ?? '').replace(/^-/, '').split('.')[0]?.trim() ?? '';
  return {
    name,
    table,
    kind,
    expressions: kind === 'count' ? [] : texts.map((text) => text.replaceAll(`${table}.`, '')),
    where: entry.where,
    unit: entry.unit,
    currency: currencyOf(entry.unit),
    good: entry.good,
    synonyms: entry.synonyms,
    highest: Array.isArray(entry.highest) ? entry.highest : [],
    lowest: Array.isArray(entry.lowest) ? entry.lowest : [],
    isLevel: entry.time_sum === 'last',
    overTime: entry.over_time,
    minRows: entry.min_rows,
    isRowCount: false,
    description: entry.description,
  };
}

/** A code in capital letters is a currency; `usd` is the older spelling of USD. */
function currencyOf(unit: string): string | undefined {
  const code = unit === 'usd' ? 'USD' : unit;
  return code === 'money' || isCurrency(code) ? code : undefined;
}

function kindOf(entry: MeasureFile): [MeasureKind, string[]] {
  if (entry.ratio) return ['ratio', [...entry.ratio]];
  for (const kind of ['sum', 'average', 'count', 'share', 'highest', 'lowest'] as const) {
    const text = entry[kind];
    if (typeof text === 'string') return [kind, [text]];
  }
  throw new Error('a measure without an aggregate passed the schema');
}

function toRowCount({ name, noun, good }: ModelTable): Measure {
  const unit = toPlural(noun);
  const entry = MeasureFile.parse({ count: name, unit, good });
  return { ...toMeasure(`number of ${unit}`, entry), isRowCount: true };
}

function toDimension(name: string, { columns, synonyms, values, say, order }: DimensionFile): Dimension {
  const homes = columns.map((text) => {
    const [table = '', column = ''] = text.split('.');
    return { table, column };
  });
  return { name, synonyms, homes, values, say, order };
}

/** An entity by its noun, and by the role of each join where a table has several joins to it. */
function toEntity(table: ModelTable, tables: ReadonlyMap<string, ModelTable>): Dimension[] {
  if (table.label === undefined) return [];
  const homes = [{ table: table.name, column: table.label }];
  const base = { synonyms: [], values: {}, say: {}, order: [], homes, entity: table.name };
  const roles = [...tables.values()].flatMap(({ joins }) => {
    const same = joins.filter((join) => join.table === table.name);
    return same.length > 1 ? same.map(({ role }) => role) : [];
  });
  return [{ ...base, name: table.noun }, ...[...new Set(roles)].map((role) => ({ ...base, name: role, role }))];
}
