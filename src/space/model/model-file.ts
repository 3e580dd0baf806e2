import * as z from 'zod';
import { DataQuery } from '../../schema/data-query.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
/** Other words of people for one thing: nouns, verbs or phrases, lower case and singular. Other forms are understood. */
const Synonyms = z.array(Text).default([]);
const ColumnName = z.string().regex(/^[a-z][a-z0-9_]*\.\w+$/, 'must be table.column, such as products.price');
/** A column, or several combined row by row: stock.on_hand * stock.unit_cost. */
const Expression = z
  .string()
  .regex(
    /^-?[a-z][a-z0-9_]*\.\w+(?:\s*[-+*/]\s*[a-z][a-z0-9_]*\.\w+)*$/,
    'must be table.column, or several of one table with + - * / between them',
  );
const Cell = z.union([z.string(), z.number()]);

/** A many-to-one join by a column that has the name of the other table's key, or by another column. */
const Join = z.union([
  Text,
  z.strictObject({
    table: Text,
    by: Text.describe('The column of this table that holds the key of the other one'),
    synonyms: Synonyms.describe('Words that choose this join where several lead to one table, such as to and into'),
    usual: z.boolean().default(false).describe('Taken where no word chooses, and said'),
  }),
]);

/** The part of a table that questions are read with. */
export const TableMeaning = {
  key: z
    .union([Text, z.array(Text).min(1)])
    .optional()
    .describe('The column or columns that identify a row; proven to be unique when the file is read'),
  label: Text.optional().describe('The column with the name of a row. It makes the table something to group by'),
  say: Text.optional().describe('The noun for one row, if it is not the name of the table: stock position'),
  synonyms: Synonyms.describe('Other words for one row: purchase, buy. "How many purchases" counts the rows'),
  good: z.enum(['up', 'down']).optional().describe('Which end of the number of its rows "best" asks for'),
  time: Text.optional().describe('The date column that periods apply to'),
  snapshot: z.boolean().default(false).describe('True if the rows are the state of now, so that no period applies'),
  joins: z
    .union([z.array(Text), z.record(Text, Join)])
    .default([])
    .describe('Tables that each row belongs to, many-to-one; with roles where several lead to one table'),
};
export type TableMeaning = z.infer<z.ZodObject<typeof TableMeaning>>;

/** Fields of which a measure has exactly one. */
const AGGREGATES = ['sum', 'average', 'count', 'share', 'ratio', 'highest', 'lowest'] as const;
/** The largest or smallest value of a column, or words for that end of the measure. */
const End = z.union([Expression, z.array(Text)]).optional();

export const MeasureFile = z
  .strictObject({
    sum: Expression.optional(),
    average: Expression.optional(),
    count: z.string().optional().describe('A table whose rows are counted, mostly with `where`'),
    share: ColumnName.optional().describe('A column of 0 and 1: the share of rows with 1'),
    ratio: z
      .tuple([Expression, Expression])
      .optional()
      .describe('The sum of the first divided by the sum of the second'),
    highest: End.describe('A column of which the largest value counts, or adjectives for the high end: [expensive]'),
    lowest: End.describe('A column of which the smallest value counts, or adjectives for the low end: [cheap]'),
    where: z.record(Text, Cell).default({}).describe('Column → value that a row must have to be included'),
    unit: Text.describe(
      'The code of a currency such as EUR, money for an unknown one, percent, units, days, stars, or the noun of what is counted',
    ),
    good: z.enum(['up', 'down']).optional().describe('Which end "best" asks for'),
    synonyms: Synonyms,
    time_sum: z
      .enum(['sum', 'last'])
      .default('sum')
      .describe('last: a level such as stock. A period has its newest value and is never summed over time'),
    over_time: Text.optional().describe('The measure to use where a period or a trend is asked for'),
    min_rows: z
      .number()
      .int()
      .positive()
      .default(1)
      .describe('Groups with fewer rows are marked and never ranked first'),
    description: Text.optional(),
  })
  .refine((measure) => aggregatesOf(measure).length === 1, {
    message: `must have exactly one of ${AGGREGATES.join(', ')}`,
  });
export type MeasureFile = z.infer<typeof MeasureFile>;

/** Lists of words in `highest` and `lowest` are adjectives, not an aggregate. */
function aggregatesOf(measure: Partial<Record<(typeof AGGREGATES)[number], unknown>>): string[] {
  return AGGREGATES.filter(
    (key) => typeof measure[key] === 'string' || (key === 'ratio' && measure.ratio !== undefined),
  );
}

export const DimensionFile = z.strictObject({
  columns: z.array(ColumnName).min(1).describe('Each table that has it; the one nearest to the measure is used'),
  synonyms: Synonyms,
  values: z.record(z.string(), z.array(Text)).default({}).describe('Value → other words for it'),
  say: z.record(z.string(), Text).default({}).describe('Table → what to call it there: customers: customer region'),
  order: z.array(z.string()).default([]).describe('Values in their own order, for columns such as age groups'),
});
export type DimensionFile = z.infer<typeof DimensionFile>;

/** A named condition: of single rows by a column's value, or of an entity by a comparison of sums. */
export const FilterFile = z
  .strictObject({
    columns: z.array(ColumnName).optional(),
    is: Cell.optional(),
    of: Text.optional().describe('The table whose rows it holds for; needed with `where`'),
    where: z
      .string()
      .regex(
        /^(?:sum|min|max)\([a-z][a-z0-9_]*\.\w+\)\s*(?:<|<=|>|>=|=)\s*(?:(?:sum|min|max)\([a-z][a-z0-9_]*\.\w+\)|-?\d+(?:\.\d+)?)$/,
        'must compare two sums, such as sum(stock.on_hand) < sum(stock.reorder_point)',
      )
      .optional(),
    rows: z
      .string()
      .regex(
        /^[a-z][a-z0-9_]*\.\w+\s*(?:<|<=|>|>=|=)\s*(?:[a-z][a-z0-9_]*\.\w+|-?\d+(?:\.\d+)?)$/,
        'must compare a column with a column or a number, such as stock.on_hand < stock.reorder_point',
      )
      .optional()
      .describe('A condition on single rows'),
    synonyms: Synonyms,
    opposite: Synonyms.describe('Words for the rows that it does not hold for'),
    say: Text.optional().describe('What the echo says, such as "low in stock over all locations"'),
  })
  .refine((filter) => [filter.columns, filter.where, filter.rows].filter((part) => part !== undefined).length === 1, {
    message: 'must have exactly one of columns, where, rows',
  })
  .refine((filter) => (filter.columns === undefined) === (filter.is === undefined), {
    message: '`is` goes with `columns`',
  })
  .refine((filter) => filter.where === undefined || filter.of !== undefined, { message: '`where` needs `of`' });
export type FilterFile = z.infer<typeof FilterFile>;

/** A question and the query that it must be read as. It is a test, and the question is sure in these words. */
export const VerifiedFile = z.strictObject({ ask: Text, query: DataQuery });
export type VerifiedFile = z.infer<typeof VerifiedFile>;

/** The semantic model of a space file. All of it is optional: a file may have only trusted questions. */
export const ModelFile = {
  today: z
    .union([z.enum(['newest', 'now']), z.iso.date()])
    .default('newest')
    .describe('The day that "last month" counts from: the newest date of the tables, the clock, or a date'),
  measures: z.record(Text, MeasureFile).default({}),
  dimensions: z.record(Text, DimensionFile).default({}),
  filters: z.record(Text, FilterFile).default({}),
  verified: z.array(VerifiedFile).default([]),
};
