import * as z from 'zod';
import { DataQuery } from '../schema/data-query.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { SpaceFile } from './load/space-file.ts';
import type { SpaceModel } from './model/model.ts';

/** The query object of a model, with what the question says and no field expresses. */
const AskedQuery = DataQuery.unwrap().extend({
  not_expressible: z.array(z.string()).describe('Words of the question that no field expresses'),
  assumptions: z.array(z.string()).describe('A choice that the question leaves open'),
});
/** Rules of a string that some providers do not accept. */
const LEFT_OUT: readonly string[] = ['$schema', 'default', 'pattern', 'minLength', 'minItems'];

/**
 * The query object as a tool's argument. Names are enums; values are strings that the tool checks against the data. All
 * fields are required and nullable, because some providers accept no optional ones.
 */
export function querySchema(model: SpaceModel): JsonObject {
  const measures = [...model.measures.keys()];
  const dimensions = [...model.dimensions.keys(), ...rolesOf(model)];
  const columns = [...model.measures.values()].flatMap(({ table, expressions }) =>
    expressions.filter((name) => /^\w+$/.test(name)).map((name) => `${table}.${name}`),
  );
  const tables = [...model.tables.keys()];
  /** The names that a field may have, by its path without list places. */
  const names: Readonly<Record<string, readonly string[]>> = {
    'measures.name': measures,
    'named.name': [...model.filters.keys()],
    measure: measures,
    by: measures,
    dimension: dimensions,
    dimensions,
    distinct: dimensions,
    table: tables,
    among: tables,
    column: [...new Set(columns)],
  };
  const write = (schema: Json, path: readonly string[]): Json => {
    if (Array.isArray(schema)) return schema.map((one) => write(one, path));
    if (!isObject(schema)) return schema;
    const { properties } = schema;
    const known = names[path.slice(-2).join('.')] ?? names[path.at(-1) ?? ''] ?? [];
    const kept = Object.entries(schema).filter(([key]) => !LEFT_OUT.includes(key));
    const written = kept.map(([key, value]) => [key, key === 'properties' ? value : write(value, path)]);
    const isNamed = schema.type === 'string' && known.length > 0;
    if (!isObject(properties)) return { ...Object.fromEntries(written), ...(isNamed && { enum: [...known] }) };
    const own = Object.entries(properties).map(([key, value]) => [key, write(value, [...path, key])]);
    return { ...Object.fromEntries(written), properties: Object.fromEntries(own), required: Object.keys(properties) };
  };
  return write(z.toJSONSchema(AskedQuery) as JsonObject, []) as JsonObject; // an object stays one
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
