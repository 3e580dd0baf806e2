import * as z from 'zod';
import { ModelFile, TableMeaning } from '../model/model-file.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
const Identifier = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,40}$/, 'must be lower case letters, digits and _, such as order_items');

const Table = z.strictObject({
  file: Text.describe('A CSV file, beside or above this file, inside the folder of the agent'),
  indexes: z
    .array(z.array(z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'must be a column')).min(1))
    .default([])
    .describe('For large tables: the columns that a question groups by, then those that it reads'),
  ...TableMeaning,
});
export type TableFileEntry = z.infer<typeof Table>;

/** A space: CSV files as tables, and the model that questions are read with. */
export const SpaceFile = z.strictObject({
  name: Identifier.describe('Its tools are query_space_<name> and run_query_<name>'),
  title: Text,
  description: Text,
  tables: z
    .record(Identifier, Table)
    .refine((tables) => Object.keys(tables).length > 0, 'must name at least one table'),
  ...ModelFile,
  limits: z
    .strictObject({
      rows: z.number().int().positive().max(1000).default(50),
      timeout_seconds: z.number().positive().max(3600).default(45),
    })
    .prefault({}),
});
export type SpaceFile = z.infer<typeof SpaceFile>;
