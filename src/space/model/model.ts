import { isCurrency } from '../../schema/column-format.ts';
import type { DimensionFile, FilterFile, MeasureFile, VerifiedFile } from './model-file.ts';
import { toPlural } from './nouns.ts';

/** A many-to-one join from a column of one table to the key of another. */
export interface ModelJoin {
  role: string;
  table: string;
  by: string;
  key: string;
  words: readonly string[];
  usual: boolean;
}

export interface ModelTable {
  name: string;
  key: readonly string[];
  label?: string | undefined;
  names: readonly string[];
  verbs: readonly string[];
  people: boolean;
  actors: readonly string[];
  short: readonly string[];
  light: readonly string[];
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
  /** `usd` for money of any currency: the readers of questions ask only whether a figure is money. */
  unit: string;
  /** The format of its values: the code of the currency, or `money` where the currency is unknown. */
  currency?: string | undefined;
  good?: 'up' | 'down' | undefined;
  names: readonly string[];
  verbs: readonly string[];
  short: readonly string[];
  needs: readonly string[];
  hints: readonly string[];
  topic?: string | undefined;
  high: readonly string[];
  low: readonly string[];
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
  names: readonly string[];
  homes: readonly { table: string; column: string }[];
  /** The table whose rows it is, for an entity. */
  entity?: string | undefined;
  /** The join that it names, for one of several joins to the same entity. */
  role?: string | undefined;
  nounOf?: string | undefined;
  values: Readonly<Record<string, readonly string[]>>;
  widening: Readonly<Record<string, readonly string[]>>;
  common: readonly string[];
  needs: readonly string[];
  /** Its values also name pieces, such as shoes. */
  pieces: boolean;
  /** The measure that its values ask for where none is named. */
  measure?: string | undefined;
  say: Readonly<Record<string, string>>;
  order: readonly string[];
}

export type Filter = FilterFile & { name: string };

/** The semantic model of one space, with everything that follows from its file. */
export interface SpaceModel {
  space: string;
  today: string;
  tables: ReadonlyMap<string, ModelTable>;
  measures: ReadonlyMap<string, Measure>;
  dimensions: ReadonlyMap<string, Dimension>;
  filters: ReadonlyMap<string, Filter>;
  verified: readonly VerifiedFile[];
}

interface TableEntry {
  key?: string | string[] | undefined;
  label?: string | undefined;
  names: string[];
  verbs: string[];
  people: boolean;
  actors: string[];
  short: string[];
  light: string[];
  good?: 'up' | 'down' | undefined;
  time?: string | undefined;
  snapshot: boolean;
  joins: Record<string, string | { table: string; by: string; words: string[]; usual: boolean }>;
}

/** The parts of a space file that a model is made from. */
export interface ModelSource {
  name: string;
  today: string;
  tables: Record<string, TableEntry>;
  measures: Record<string, MeasureFile>;
  dimensions: Record<string, DimensionFile>;
  filters: Record<string, FilterFile>;
  verified: VerifiedFile[];
}

export function createModel(file: ModelSource): SpaceModel {
  const tables = new Map(Object.entries(file.tables).map(([name, entry]) => [name, toTable(name, entry)]));
  const declared = Object.entries(file.measures).map(([name, entry]) => toMeasure(name, entry));
  const counts = [...tables.values()].flatMap(toRowCount);
  const own = Object.entries(file.dimensions).map(([name, entry]) => toDimension(name, entry));
  const entities = [...tables.values()].flatMap((table) => toEntity(table, tables));
  return {
    space: file.name,
    today: file.today,
    tables,
    measures: new Map([...counts, ...declared].map((measure) => [measure.name, measure])),
    dimensions: new Map([...entities, ...own].map((dimension) => [dimension.name, dimension])),
    filters: new Map(Object.entries(file.filters).map(([name, filter]) => [name, { ...filter, name }])),
    verified: file.verified,
  };
}

/** True if questions can be composed from it. */
export function hasMeasures(file: Pick<ModelSource, 'measures' | 'tables'>): boolean {
  return Object.keys(file.measures).length > 0 || Object.values(file.tables).some(({ names }) => names.length > 0);
}

function toTable(name: string, entry: TableEntry): ModelTable {
  const key = entry.key === undefined ? [] : [entry.key].flat();
  const joins = Object.entries(entry.joins).map(([role, join]) => {
    if (typeof join !== 'string') return { role, ...join, key: join.by };
    const [table = '', column = ''] = join.split('.');
    return { role, table, by: column, key: column, words: [], usual: false };
  });
  const { label, names, verbs, people, actors, short, light, good, time, snapshot } = entry;
  return { name, key, label, names, verbs, people, actors, short, light, good, time, snapshot, joins };
}

/** A join's key is the key of its table; only the long form needs to look it up. */
export function joinKey(model: Pick<SpaceModel, 'tables'>, join: ModelJoin): string {
  return model.tables.get(join.table)?.key[0] ?? join.key;
}

function toMeasure(name: string, entry: MeasureFile): Measure {
  const [kind, texts] = kindOf(entry);
  const table = (texts[0] ?? '').split('.')[0]?.trim() ?? '';
  return {
    name,
    table,
    kind,
    expressions: kind === 'count' ? [] : texts.map((text) => signed(text.replaceAll(`${table}.`, ''), entry.sign)),
    where: entry.where,
    ...unitOf(entry.unit),
    good: entry.good,
    // A short name may mean something else, also where it is the measure's own.
    names: [...new Set([name, ...entry.names])].filter((word) => !entry.short.includes(word)),
    verbs: entry.verbs,
    short: entry.short,
    needs: entry.needs,
    hints: entry.hints,
    topic: entry.topic,
    high: entry.high,
    low: entry.low,
    isLevel: entry.time_sum === 'last',
    overTime: entry.over_time,
    minRows: entry.min_rows,
    isRowCount: false,
    description: entry.description,
  };
}

/** A code in capital letters is a currency; `usd` is the older spelling of USD. Other words are units. */
function unitOf(unit: string): Pick<Measure, 'unit' | 'currency'> {
  const currency = unit === 'usd' ? 'USD' : unit;
  return currency === 'money' || isCurrency(currency) ? { unit: 'usd', currency } : { unit };
}

/** Losses that are stored as negative numbers become positive ones. */
function signed(expression: string, sign: MeasureFile['sign']): string {
  return sign === 'minus' ? `-(${expression})` : expression;
}

function kindOf(entry: MeasureFile): [MeasureKind, string[]] {
  if (entry.ratio) return ['ratio', [...entry.ratio]];
  for (const kind of ['sum', 'average', 'count', 'share', 'highest', 'lowest'] as const) {
    const text = entry[kind];
    if (text !== undefined) return [kind, [text]];
  }
  throw new Error('a measure without an aggregate passed the schema');
}

function toRowCount(table: ModelTable): Measure[] {
  const [noun] = table.names;
  if (noun === undefined) return [];
  const plural = toPlural(noun);
  return [
    {
      name: `number of ${plural}`,
      table: table.name,
      kind: 'count',
      expressions: [],
      where: {},
      unit: plural,
      good: table.good,
      names: [],
      verbs: [],
      short: [],
      needs: [],
      hints: [],
      high: [],
      low: [],
      isLevel: false,
      minRows: 1,
      isRowCount: true,
    },
  ];
}

function toDimension(name: string, entry: DimensionFile): Dimension {
  const homes = entry.columns.map((text) => {
    const [table = '', column = ''] = text.split('.');
    return { table, column };
  });
  const { names, noun_of: nounOf, values, widening, common, needs, pieces, measure, say, order } = entry;
  const words = { names: [...new Set([name, ...names])], values, widening, common, needs };
  return { name, ...words, homes, nounOf, pieces, measure, say, order };
}

const NO_WORDS = { pieces: false, values: {}, widening: {}, common: [], needs: [], say: {}, order: [] } as const;

/** An entity by its noun, and by the role of each join where a table has several joins to it. */
function toEntity(table: ModelTable, tables: ReadonlyMap<string, ModelTable>): Dimension[] {
  const [noun] = table.names;
  if (table.label === undefined || noun === undefined) return [];
  const homes = [{ table: table.name, column: table.label }];
  const base = { ...NO_WORDS, homes, entity: table.name, nounOf: table.name };
  const roles = [...tables.values()].flatMap(({ joins }) => {
    const same = joins.filter((join) => join.table === table.name);
    return same.length > 1 ? same.map(({ role }) => role) : [];
  });
  return [
    { ...base, name: noun, names: table.names },
    ...[...new Set(roles)].map((role) => ({ ...base, name: role, names: [role, `${role} ${noun}`], role })),
  ];
}
