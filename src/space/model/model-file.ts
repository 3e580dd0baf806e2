import * as z from 'zod';
import { DataQuery } from '../../schema/data-query.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
/** Words of people for one thing. All of them are lower case and singular; plural forms are understood. */
const Words = z.array(Text).default([]);
const ColumnName = z.string().regex(/^[a-z][a-z0-9_]*\.\w+$/, 'must be table.column, such as products.price');
/** A column, or several combined row by row: stock.on_hand * stock.unit_cost. */
const Expression = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]*\.\w+(?:\s*[-+*/]\s*[a-z][a-z0-9_]*\.\w+)*$/,
    'must be table.column, or several of one table with + - * / between them',
  );
const Cell = z.union([z.string(), z.number()]);

/** A many-to-one join: `customers.customer_id` joins on the column of that name; the long form names the own column. */
const Join = z.union([
  ColumnName,
  z.strictObject({
    table: Text,
    by: Text.describe('The column of this table that holds the key of the other one'),
    words: Words.describe('Words that choose this join where several lead to one table, such as to and into'),
    usual: z.boolean().default(false).describe('Taken where no word chooses, but never with high confidence'),
  }),
]);

/** The part of a table that questions are read with. */
export const TableMeaning = {
  key: z
    .union([Text, z.array(Text).min(1)])
    .optional()
    .describe('The column or columns that identify a row; proven to be unique when the file is read'),
  label: Text.optional().describe('The column with the name of a row. It makes the table an entity to group by'),
  names: Words.describe('Nouns for one row: order, purchase. "How many orders" counts the rows'),
  verbs: Words.describe('Verbs for one row: buy, order. "Customers who bought"'),
  short: Words.describe('Nouns that may also mean something else. Weaker than names'),
  light: Words.describe('Verbs that add nothing beside its rows: place, happen, live'),
  people: z.boolean().default(false).describe('True if the rows are people: "who" asks for them'),
  actors: Words.describe(
    'Nouns for those who made a row, such as customer for a review. They may be named, not counted',
  ),
  good: z.enum(['up', 'down']).optional().describe('Which end of the number of its rows "best" asks for'),
  time: Text.optional().describe('The date column that periods apply to'),
  snapshot: z.boolean().default(false).describe('True if the rows are the state of now, so that no period applies'),
  joins: z.record(Text, Join).default({}).describe('Role → the table that each row belongs to, many-to-one'),
};

/** Fields of which a measure has exactly one. */
const AGGREGATES = ['sum', 'average', 'count', 'share', 'ratio', 'highest', 'lowest'] as const;

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
    highest: Expression.optional(),
    lowest: Expression.optional(),
    where: z.record(Text, Cell).default({}).describe('Column → value that a row must have to be included'),
    sign: z
      .enum(['plus', 'minus'])
      .default('plus')
      .describe('minus: the rows hold losses as negative numbers, and people name them as positive ones'),
    unit: Text.describe(
      'The code of a currency such as EUR, money for an unknown one, percent, units, days, stars, or the noun of what is counted',
    ),
    good: z.enum(['up', 'down']).optional().describe('Which end "best" asks for'),
    names: Words.describe('Full names; each one is enough for high confidence'),
    verbs: Words.describe('Verbs for it: earn, sell. Weaker than a name'),
    short: Words.describe('Short names that count only where the table is named too, or nothing else has them'),
    needs: Words.describe('Its short names count only if the question has one of these words'),
    hints: Words.describe('Phrases that speak for it among equals: do we have, left'),
    topic: Text.optional().describe('The dimension that "what" asks for: what do they complain about'),
    high: Words.describe('Adjectives for the high end: longest, slowest'),
    low: Words.describe('Adjectives for the low end: shortest, fastest'),
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
      .describe('A ranking that shows a group with fewer rows is not sure'),
    description: Text.optional(),
  })
  .refine((measure) => AGGREGATES.filter((key) => measure[key] !== undefined).length === 1, {
    message: `must have exactly one of ${AGGREGATES.join(', ')}`,
  });
export type MeasureFile = z.infer<typeof MeasureFile>;

export const DimensionFile = z.strictObject({
  columns: z.array(ColumnName).min(1).describe('Each table that has it; the one nearest to the measure is used'),
  names: Words.describe('Other nouns for it; its own name always counts'),
  noun_of: Text.optional().describe('The table whose rows its values name: "coats" are products, "women" customers'),
  values: z.record(z.string(), z.array(Text)).default({}).describe('Value → other words for it'),
  widening: z
    .record(z.string(), z.array(Text))
    .default({})
    .describe('Value → words for only a part of it, such as Outerwear: [coat]. Never with high confidence'),
  common: z
    .array(z.string())
    .default([])
    .describe('Values that are common words, such as New. Never with high confidence'),
  needs: Words.describe('Values count only if the question has one of these words, or the name of the dimension'),
  pieces: z
    .boolean()
    .default(false)
    .describe('True if its values also name pieces: "how many shoes" may ask for products or for units'),
  measure: Text.optional().describe('The measure that its values ask for where none is named'),
  say: z.record(z.string(), Text).default({}).describe('Table → what to call it there: customers: customer region'),
  order: z.array(z.string()).default([]).describe('Values in their own order, for columns such as age groups'),
  people: z.boolean().default(false),
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
    names: Words,
    short: Words.describe('Words that may also mean something else. Weaker than names'),
    opposite: Words.describe('Words for the rows that it does not hold for; weaker where `short` has them, too'),
    within: Text.optional().describe(
      'A condition that its rows have, too: carts that are recovered were abandoned. "Not recovered" alone is not sure',
    ),
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

/** A question and the query that it must be read as. It is a test, and its wording is sure, also with other values. */
export const VerifiedFile = z.strictObject({ ask: Text, query: DataQuery });
export type VerifiedFile = z.infer<typeof VerifiedFile>;

/** The semantic model of a space file. All of it is optional: an older file has only trusted questions. */
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
