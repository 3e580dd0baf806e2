import * as z from 'zod';
import { isObject, type Json } from '../../schema/json.ts';

const Text = z.string();
const Name = Text.toLowerCase(); // as in SQL
const Names = z.array(Name).default([]);
/** A field without an expression is the column of its name. */
const Field = z
  .looseObject({ name: Name, expr: Text.default(''), synonyms: Names })
  .transform((field): typeof field => ({ ...field, expr: field.expr.trim() || field.name }));
export type Field = z.infer<typeof Field>;
const Fields = z.array(Field).default([]);

const Lists = { dimensions: Fields, time_dimensions: Fields, facts: Fields, metrics: Fields, filters: Fields };
const Key = z.looseObject({ columns: Names }).prefault({});
/** `measures` are the facts of the older semantic model. */
const Table = z.looseObject({ name: Name, synonyms: Names, primary_key: Key, measures: Fields, ...Lists });
export type Table = z.infer<typeof Table>;

const Columns = z.array(z.looseObject({ left_column: Name, right_column: Name })).min(1);
const Join = z.looseObject({ name: Name, left_table: Name, right_table: Name, relationship_columns: Columns });

/** The plain part of a Snowflake semantic view. */
export const SemanticView = z.looseObject({
  name: Name,
  description: Text.optional(),
  tables: z.array(Table).min(1),
  relationships: z.array(Join).default([]),
  metrics: Fields,
  verified_queries: z.array(z.looseObject({ name: Name, question: Text, sql: Text })).default([]),
});
export type SemanticView = z.infer<typeof SemanticView>;

const READ =
  `${Object.keys({ ...SemanticView.shape, ...Table.shape, ...Join.shape }).join(' ')} expr columns left_column
  right_column access_modifier default_aggregation description question sql comments base_table database schema table unique_keys
  data_type unique is_enum sample_values labels join_type relationship_type verified_at verified_by`.split(/\s+/);

/** Keys that have no counterpart in a space file, with their places: orders.status.cortex_search_service. */
export function unreadKeys(value: Json | undefined, places: readonly string[] = []): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => unreadKeys(item, [...places, String(isObject(item) && item.name)]));
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, inner]) =>
    READ.includes(key) ? unreadKeys(inner, places) : [[...places, key].join('.')],
  );
}
