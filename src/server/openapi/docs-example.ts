/** The part of JSON Schema that examples are made from. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const TEXTS: Readonly<Record<string, string>> = {
  message: 'hello',
  content: 'hello',
  threadId: 'thread-1',
  runId: 'run-1',
  title: 'My conversation',
};
/** Messages of a run have no schema of their own, because clients send many shapes. */
const MESSAGES = [{ id: 'message-1', role: 'user', content: 'hello' }];

/** A small value of a schema's shape: its required keys, or its first key where none is required. */
export function exampleOf(schema: Schema, shapes: Record<string, unknown>, name = ''): unknown {
  if (schema.$ref) return exampleOf((shapes[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema, shapes, name); // componentSchemas writes JSON Schemas
  if (name === 'messages') return MESSAGES;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const option = (schema.anyOf ?? schema.oneOf)?.[0];
  if (option) return exampleOf(option, shapes, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return schema.items ? [exampleOf(schema.items, shapes)] : [];
  if (type === 'object') return exampleObject(schema, shapes);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return TEXTS[name] ?? (type === 'string' ? 'text' : null);
}

function exampleObject({ properties = {}, required = [] }: Schema, shapes: Record<string, unknown>): unknown {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, shapes, name)]));
}
