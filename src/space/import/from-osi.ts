import * as z from 'zod';

const Text = z.string();
const Synonyms = z
  .union([Text, z.looseObject({ synonyms: z.array(Text).default([]) })])
  .default('')
  .transform((context) => (typeof context === 'string' ? [] : context.synonyms));
/** A text, or one for each dialect; standard SQL first. */
const Expression = z.union([
  Text,
  z
    .looseObject({ dialects: z.array(z.looseObject({ dialect: Text.default('ANSI_SQL'), expression: Text })) })
    .transform(({ dialects: all }) => (all.find((one) => one.dialect === 'ANSI_SQL') ?? all[0])?.expression ?? ''),
]);
const Field = z
  .looseObject({ name: Text, expression: Expression, ai_context: Synonyms, datatype: Text.optional() })
  .extend({ dimension: z.looseObject({ is_time: z.boolean().optional() }).optional(), label: Text.optional() })
  .transform(({ expression: expr, ai_context: synonyms, dimension, datatype, label: _, ...field }) => ({
    field: { ...field, expr, synonyms },
    kind: kindOf(dimension, datatype),
  }));
function kindOf(dimension: { is_time?: boolean | undefined } | undefined, type = ''): string | undefined {
  if (dimension?.is_time ?? /^Date/.test(type)) return 'time_dimensions';
  if (!dimension && type === '') return undefined;
  return !dimension && /^(?:Integer|Decimal|Float)$/.test(type) ? 'facts' : 'dimensions';
}

const Columns = z.array(Text).default([]);
const Dataset = z.looseObject({
  name: Text,
  ai_context: Synonyms,
  primary_key: Columns,
  fields: z.array(Field).default([]),
});
const Relation = z.looseObject({ name: Text, from: Text, to: Text, from_columns: Columns, to_columns: Columns });

/** The plain part of an Open Semantic Interchange file. */
export const OsiModel = z.looseObject({
  ai_context: Synonyms,
  datasets: z.array(Dataset),
  relationships: z.array(Relation).default([]),
  metrics: z.array(Field).default([]),
});

/** Rewrites a model as a semantic view. `isNumber` decides about fields without a type. */
export function fromOsi(model: z.infer<typeof OsiModel>, isNumber: (table: string, column: string) => boolean) {
  const { datasets, relationships, metrics, ai_context: _prompt, ...rest } = model;
  const tables = datasets.map(({ fields, primary_key: columns, ai_context: synonyms, source: _source, ...table }) => {
    const kinds = Map.groupBy(
      fields,
      ({ kind, field }) => kind ?? (isNumber(table.name, field.expr) ? 'facts' : 'dimensions'),
    );
    const parts = Object.fromEntries([...kinds].map(([kind, own]) => [kind, own.map(({ field }) => field)]));
    return { ...table, synonyms, primary_key: { columns }, ...parts };
  });
  const joins = relationships.map(({ name, from, to, from_columns: own, to_columns: keys }) => {
    const pairs = own.map((column, at) => ({ left_column: column, right_column: keys[at] ?? '' }));
    return { name, left_table: from, right_table: to, relationship_columns: pairs };
  });
  return { ...rest, tables, relationships: joins, metrics: metrics.map(({ field }) => field) };
}
