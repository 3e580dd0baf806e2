import type { JsonObject } from '../schema/json.ts';
import type { SpaceFile } from './load/space-file.ts';
import type { SpaceModel } from './model/model.ts';

const COMPARISONS = ['more', 'at_least', 'less', 'at_most', 'exactly', 'not'];

/**
 * The query object as a tool's argument. Names are enums; values are strings that the tool checks against the data. All
 * fields are required and nullable, because some providers accept no optional ones.
 */
export function querySchema(model: SpaceModel): JsonObject {
  const measure = { type: 'string', enum: [...model.measures.keys()] };
  const dimension = { type: 'string', enum: [...model.dimensions.keys(), ...rolesOf(model)] };
  const table = { type: 'string', enum: [...model.tables.keys()] };
  const conditions = conditionFields(model, dimension);
  const period = object({
    from: text('First day, such as 2025-10-01'),
    to: text('Last day'),
    words: text('As the question says it'),
  });
  return object({
    measures: list(
      object({
        name: measure,
        aggregate: nullable({ type: 'string', enum: ['total', 'average', 'count', 'highest', 'lowest'] }),
        among: nullable(table),
        distinct: nullable(dimension),
      }),
    ),
    dimensions: list(dimension),
    grain: nullable({ type: 'string', enum: ['day', 'week', 'month', 'quarter', 'year'] }),
    ...conditions,
    without: nullable(
      object({ table, period: nullable(period), filters: conditions.filters ?? {}, named: conditions.named ?? {} }),
    ),
    having: list(object({ measure, is: { type: 'string', enum: COMPARISONS }, value: { type: 'number' } })),
    period: nullable(period),
    compare: nullable(period),
    order: nullable(
      object({
        by: measure,
        direction: { type: 'string', enum: ['highest', 'lowest'] },
        of: nullable({ type: 'string', enum: ['change', 'growth'] }),
      }),
    ),
    limit: nullable({ type: 'integer', minimum: 1, maximum: 1000 }),
    limit_within: nullable({ type: 'string', description: 'A dimension of the query, or time' }),
    share: { type: 'string', enum: ['none', 'of_whole', 'of_group', 'beside_rest'] },
    part: nullable(object(conditions)),
    per: nullable({ type: 'string', description: 'An entity to divide by, such as customer, or day, week or month' }),
    not_expressible: list(text('Words of the question that no field expresses')),
    assumptions: list(text('A choice that the question leaves open')),
  });
}

/** Where several joins lead to one table, its columns are named with the role: origin region. */
function rolesOf({ tables, dimensions }: SpaceModel): string[] {
  const names = [...tables.values()].flatMap(({ joins }) =>
    joins
      .filter((join) => joins.filter(({ table }) => table === join.table).length > 1)
      .flatMap((join) =>
        [...dimensions.values()]
          .filter(({ entity, homes }) => entity === undefined && homes.some(({ table }) => table === join.table))
          .map(({ name }) => `${join.role} ${name}`),
      ),
  );
  return [...new Set(names)];
}

function conditionFields(model: SpaceModel, dimension: JsonObject): JsonObject {
  const filters = [...model.filters.keys()];
  const columns = new Set(
    [...model.measures.values()].flatMap(({ table, expressions }) =>
      expressions.filter((name) => /^\w+$/.test(name)).map((name) => `${table}.${name}`),
    ),
  );
  return {
    filters: list(object({ dimension, values: list({ type: 'string' }), negated: { type: 'boolean' } })),
    named: list(
      object({ name: { type: 'string', ...(filters.length > 0 && { enum: filters }) }, negated: { type: 'boolean' } }),
    ),
    numbers: list(
      object({
        column: { type: 'string', ...(columns.size > 0 && { enum: [...columns] }) },
        is: { type: 'string', enum: COMPARISONS },
        value: { type: 'number' },
      }),
    ),
  };
}

function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function text(description: string): JsonObject {
  return { type: 'string', description };
}

function nullable(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] };
}

/** The description of the tool: what each name of the model means, one line each. */
export function describeModel({ title }: SpaceFile, model: SpaceModel): string {
  const measures = [...model.measures.values()].map(
    ({ name, kind, unit, currency, table, description }) =>
      `- ${name}: ${kind} over ${table}, in ${currency ?? unit}${description ? `. ${description}` : ''}`,
  );
  const filters = [...model.filters.values()].map(({ name, say }) => `- ${name}${say ? `: ${say}` : ''}`);
  return [
    `Computes figures about ${title} from a query object. Every word of the question must be expressed by a field or listed in not_expressible.`,
    'The result has "reading", a line that says what was computed; begin the answer with it.',
    'Measures:',
    ...measures,
    ...(filters.length > 0 ? ['Named conditions:', ...filters] : []),
  ].join('\n');
}
