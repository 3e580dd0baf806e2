import * as z from 'zod';
import { ColumnFormat } from '../../schema/column-format.ts';
import { ModelFile, TableMeaning } from '../model/model-file.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
const Identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,40}$/, 'must be lower case letters, digits and _, such as order_items');

const Column = z.union([
  Text,
  z.strictObject({ description: Text, type: z.enum(['integer', 'real', 'text']).optional() }),
]);

const Table = z.strictObject({
  file: Text.describe('A CSV file, beside or above this file, inside the folder of the agent'),
  description: Text.optional(),
  columns: z.record(z.string(), Column).default({}).describe('Column → what it holds'),
  indexes: z
    .array(z.array(z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'must be a column')).min(1))
    .default([])
    .describe('For large tables: the columns that a question groups by, then those that it reads'),
  ...TableMeaning,
});
export type TableFileEntry = z.infer<typeof Table>;

/** A parameter of a question. Its value comes from the question's words, or is the default. */
export const Parameter = z.discriminatedUnion('type', [
  /** "top 5", "the 3 largest". */
  z.strictObject({
    type: z.literal('count'),
    default: z.number().int().positive(),
    max: z.number().int().positive().max(1000).default(100),
  }),
  /** "in the last 30 days", "this month", "past two weeks". */
  z.strictObject({ type: z.literal('days'), default: z.number().int().positive() }),
  /** A value of a column: a product, a segment, a location. Without a default it is NULL if none is named. */
  z.strictObject({
    type: z.literal('value'),
    column: z.string().regex(/^[a-z][a-z0-9_]*\.\w+$/, 'must be table.column, such as products.name'),
    synonyms: z.record(z.string(), z.array(Text)).default({}).describe('Value → other words for it'),
    default: z.string().optional(),
    /** Several values, as a JSON list: `IN (SELECT value FROM json_each(:name))`. */
    many: z.boolean().default(false),
    /** The question matches only if a value is named. */
    required: z.boolean().default(false),
  }),
]);
export type Parameter = z.infer<typeof Parameter>;

export const TrustedQuestion = z.strictObject({
  question: Text,
  examples: z.array(Text).default([]).describe('Other ways to ask it'),
  parameters: z.record(Identifier, Parameter).default({}),
  sql: Text,
  answer: Text.describe(
    'A sentence about the first row: {column}, {parameter}, {rows}; [in brackets] only when all of it is known',
  ),
  one: Text.optional().describe('What to say instead when there is a single row: nothing is "the lowest of them" then'),
  none: Text.optional().describe('What to say when there are no rows'),
  formats: z.record(z.string(), ColumnFormat).default({}),
});
export type TrustedQuestion = z.infer<typeof TrustedQuestion>;

/** A space: CSV files as tables, and the questions that are answered from them. */
export const SpaceFile = z.strictObject({
  name: Identifier.describe('Its tools are query_space_<name> and run_query_<name>'),
  title: Text,
  description: Text,
  tables: z
    .record(Identifier, Table)
    .refine((tables) => Object.keys(tables).length > 0, 'must name at least one table'),
  synonyms: z
    .record(Text, z.array(Text).min(1))
    .default({})
    .describe(
      'Main word → other words for the same thing, such as customers: [shopper, buyer]. "Who" asks for the one with people',
    ),
  ...ModelFile,
  questions: z.array(TrustedQuestion).default([]).describe('Questions whose SQL the author wrote; matched as worded'),
  limits: z
    .strictObject({
      rows: z.number().int().positive().max(1000).default(50),
      timeout_seconds: z.number().positive().max(3600).default(45),
    })
    .prefault({}),
});
export type SpaceFile = z.infer<typeof SpaceFile>;
