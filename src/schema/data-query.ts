import * as z from 'zod';
import type { ColumnFormat } from './column-format.ts';
import { type JsonObject, lazyStrict } from './json.ts';

const Name = z.string().min(1);
const Day = z.lazy(() => z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date, such as 2025-10-31'));

export const Comparison = z.enum(['more', 'at_least', 'less', 'at_most', 'exactly', 'not']);
export type Comparison = z.infer<typeof Comparison>;

export const Grain = z.enum(['day', 'week', 'month', 'quarter', 'year']);
export type Grain = z.infer<typeof Grain>;

/** Whole days, both included. `words` is how the question named it. */
export const Period = z.lazy(() => z.strictObject({ from: Day, to: Day, words: z.string() }));
export type Period = z.infer<typeof Period>;

/** A measure of the model, or the rows of a table by the table's name. */
export const QueryMeasure = lazyStrict(() => ({
  name: Name,
  /** Replaces the measure's own way to combine rows. */
  aggregate: z.enum(['total', 'average', 'count', 'highest', 'lowest']).nullable().default(null),
  /** Counts the entity once among the rows of another table: customers in orders. */
  among: Name.nullable().default(null),
  /** Counts the different values of this dimension instead of the rows: materials of products. */
  distinct: Name.nullish(),
}));
export type QueryMeasure = z.infer<typeof QueryMeasure>;

/** The dimension has one of the values. No values: it has none, such as a cart without a campaign. */
export const ValueFilter = lazyStrict(() => ({
  dimension: Name,
  values: z.array(z.string()),
  negated: z.boolean(),
}));
export type ValueFilter = z.infer<typeof ValueFilter>;

const NamedFilter = z.lazy(() => z.strictObject({ name: Name, negated: z.boolean() }));

/** A condition on single rows: orders.amount more than 200. */
const NumberFilter = z.lazy(() => z.strictObject({ column: Name, is: Comparison, value: z.number() }));

/** A condition on a measure of each group, or of each counted entity: customers with more than 5 orders. */
export const Having = z.lazy(() => z.strictObject({ measure: Name, is: Comparison, value: z.number() }));
export type Having = z.infer<typeof Having>;

const Conditions = lazyStrict(() => ({
  filters: z.array(ValueFilter).default([]),
  named: z.array(NamedFilter).default([]),
  numbers: z.array(NumberFilter).default([]),
}));
export type Conditions = z.infer<typeof Conditions>;

/** A question to data, composed from the names of a semantic model. The compiler turns it into SQL. */
export const DataQuery = lazyStrict(() => ({
  measures: z.array(QueryMeasure).min(1),
  dimensions: z.array(Name).default([]),
  grain: Grain.nullable().default(null),
  ...Conditions.unwrap().shape,
  /** Entities that have no such row in this table, within the period: products not ordered since May. */
  without: z
    .strictObject({
      table: Name,
      period: Period.nullable().default(null),
      filters: z.array(ValueFilter).optional(),
      named: z.array(NamedFilter).optional(),
    })
    .nullable()
    .default(null),
  having: z.array(Having).default([]),
  period: Period.nullable().default(null),
  /** A second period whose figures are shown beside those of the first. */
  compare: Period.nullable().default(null),
  order: z
    .strictObject({
      by: Name,
      direction: z.enum(['highest', 'lowest']),
      /** With two periods: the difference between them, or the difference in percent. */
      of: z.enum(['change', 'growth']).nullish(),
    })
    .nullable()
    .default(null),
  limit: z.number().int().positive().max(1000).nullable().default(null),
  /** The limit holds within each value of this dimension, or of `time` with a grain. */
  limit_within: Name.nullable().default(null),
  /**
   * `of_whole`: the measure under `part` divided by the measure without it. `of_group`: each row of the sum of rows.
   * `beside_rest`: the measure under `part` beside the measure of the other rows.
   */
  share: z.enum(['none', 'of_whole', 'of_group', 'beside_rest']).default('none'),
  part: Conditions.nullable().default(null),
  /** Divides the measure by the number of these entities among its rows, or by the days, weeks or months of the period. */
  per: Name.nullable().default(null),
}));
export type DataQuery = z.infer<typeof DataQuery>;

/** Words of a question and the part of the query that they became. */
export const QuerySpan = lazyStrict(() => ({
  words: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  part: z.string(),
}));
export type QuerySpan = z.infer<typeof QuerySpan>;

/** The best way to draw the rows of a result. */
export const Drawing = z.enum(['figure', 'bars', 'line', 'table']);
export type Drawing = z.infer<typeof Drawing>;

/** The part of a reading that one space answers. */
export const ReadingPart = z.strictObject({ space: Name, tool: Name, query: DataQuery, echo: z.string() });
export type ReadingPart = z.infer<typeof ReadingPart>;

/** How a question to data was read, before anything is computed. */
export const DataReading = lazyStrict(() => ({
  /**
   * `ask`: several readings are equal, or one is doubtful; the choices name them.
   * `decline`: no reading accounts for every word.
   */
  kind: z.enum(['answer', 'ask', 'decline']),
  /** The computation in one line: measure, grouping, conditions, period as dates, order. */
  echo: z.string(),
  parts: z.array(ReadingPart),
  confidence: z.enum(['high', 'medium', 'low']),
  /** Why the confidence is not high. */
  reasons: z.array(z.string()),
  /** Words that no part of the query accounts for. */
  not_understood: z.array(z.string()),
  /** Echo lines of the other readings. Of a declined question: the nearest measures and dimensions. */
  choices: z.array(z.string()),
  spans: z.array(QuerySpan),
}));
export type DataReading = z.infer<typeof DataReading>;

/** The result of a tool that answers questions over data: of a local space and of every domain adapter. */
export type DataResult = {
  /** Ids of a remote space. They come first, so that they survive when a long result is cut. */
  conversation_id?: string;
  message_id?: string;
  /** The answer in words. */
  answer: string;
  /** The computation in one line. Absent for SQL that a person or a model wrote. */
  reading?: string;
  confidence?: 'high' | 'medium' | 'low';
  /** Why the confidence is not high. */
  reasons?: string[];
  drawing?: Drawing;
  /** The executed query object. */
  data_query?: JsonObject;
  /** Remarks about the data, such as missing values. */
  data_notes?: string[];
  /** The question that was answered. */
  question?: string;
  sql_query?: string;
  columns: { name: string; type?: string; format?: ColumnFormat }[];
  rows: JsonObject[];
  row_count: number;
  /** True if rows were left out. */
  more_rows?: true;
};

/** A measure and the words for it. */
export interface MeasureWords {
  name: string;
  words: readonly string[];
  unit: string;
  /** The measure that counts the rows of its table. */
  rows: string | undefined;
  /** Named conditions that are part of it: an abandonment rate counts what is abandoned. */
  filters: readonly string[];
  /** True if its rows are averaged, so that it is never a total. */
  isAverage: boolean;
  /** `down` for a measure of which less is better. */
  good?: 'up' | 'down' | undefined;
}

interface ValueWords {
  dimension: string;
  value: string;
  words: readonly string[];
}

interface FilterWords {
  name: string;
  words: readonly string[];
  opposite: readonly string[];
}

/** The words of the spaces of an agent, for checks of what an answer says about a query. */
export interface DataVocabulary {
  measures: readonly MeasureWords[];
  values: readonly ValueWords[];
  filters: readonly FilterWords[];
  /** Dimension → its nouns. */
  dimensions: readonly { name: string; words: readonly string[] }[];
  /** First and last day of each table's dates. */
  ranges: readonly { from: string; to: string }[];
  /** The days that relative periods count from. */
  today: readonly string[];
}
