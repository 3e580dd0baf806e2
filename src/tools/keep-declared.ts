import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { fromEntries, resolvePointer } from './json-schema/schema-walk.ts';

export interface Kept {
  args: JsonObject;
  /** Paths that the schema does not declare. */
  left: string[];
}

const BRANCHES = ['if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const OPEN = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'];
const MAX_LEFT = 50;

/**
 * Keeps the arguments that a schema declares, also inside objects and lists. Other arguments are kept only if the
 * schema explicitly allows them. A nested object without declared properties is kept whole.
 */
export function createDeclaredFilter(schema: JsonObject): (args: JsonObject) => Kept {
  const root = createShapes(schema)([schema]);
  return (args) => {
    const left: string[] = [];
    return { args: keepObject(args, root, { left, path: '' }), left };
  };
}

/** The combined declarations of a value's schemas. Nested shapes are created on demand. */
interface Shape {
  names: ReadonlySet<string>;
  allowsOthers: boolean;
  property(name: string): Shape;
  item(): Shape;
}

interface Keeping {
  left: string[];
  path: string;
}

function keep(value: Json, shape: Shape, keeping: Keeping): Json {
  if (Array.isArray(value)) return value.map((item) => keep(item, shape.item(), keeping));
  return isObject(value) && (shape.names.size > 0 || shape.allowsOthers) ? keepObject(value, shape, keeping) : value;
}

function keepObject(value: JsonObject, shape: Shape, { left, path }: Keeping): JsonObject {
  const entries = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (shape.names.has(name) || shape.allowsOthers)
      return [[name, keep(inner, shape.property(name), { left, path: at })]];
    if (left.length < MAX_LEFT) left.push(at);
    return [];
  });
  return fromEntries(entries);
}

/** Values with the same schemas share a shape, so that a long list costs no more than its entries. */
function createShapes(root: JsonObject): (schemas: readonly JsonObject[]) => Shape {
  const numbers = new Map<JsonObject, number>();
  const shapes = new Map<string, Shape>();
  const numberOf = (schema: JsonObject): number => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  };
  const shapeOf = (schemas: readonly JsonObject[]): Shape => {
    const key = schemas.map(numberOf).join();
    const shape = shapes.get(key) ?? createShape(schemas, root, shapeOf);
    shapes.set(key, shape);
    return shape;
  };
  return shapeOf;
}

function createShape(
  schemas: readonly JsonObject[],
  root: JsonObject,
  shapeOf: ReturnType<typeof createShapes>,
): Shape {
  const { parts, isReadable } = listParts(schemas, root);
  const properties = new Map<string, Shape>();
  let items: Shape | undefined;
  return {
    names: new Set(parts.flatMap((part) => (isObject(part.properties) ? Object.keys(part.properties) : []))),
    allowsOthers: !isReadable || parts.some(allowsOthers),
    property(name) {
      const known = properties.get(name) ?? shapeOf(parts.flatMap((part) => schemasOf(part, name)));
      properties.set(name, known);
      return known;
    },
    item() {
      items ??= shapeOf(parts.flatMap((part) => ITEMS.flatMap((keyword) => part[keyword] ?? [])).filter(isObject));
      return items;
    },
  };
}

/** The schemas that apply to the same value. A reference that leads nowhere makes them unreadable. */
function listParts(schemas: readonly JsonObject[], root: JsonObject): { parts: JsonObject[]; isReadable: boolean } {
  const parts = new Set<JsonObject>();
  const queue = [...schemas];
  let isReadable = true;
  for (let part = queue.pop(); part; part = queue.pop()) {
    if (parts.has(part)) continue;
    parts.add(part);
    const { $ref: reference, $dynamicRef: dynamic, dependentSchemas } = part;
    const target = typeof reference === 'string' ? resolvePointer(root, reference) : undefined;
    if (dynamic !== undefined || (reference !== undefined && !isObject(target))) isReadable = false;
    const inner = [target, ...BRANCHES.map((keyword) => part[keyword])];
    const lists = LISTS.flatMap((keyword) => part[keyword] ?? []);
    queue.push(...[...inner, ...lists, ...valuesOf(dependentSchemas)].filter(isObject));
  }
  return { parts: [...parts], isReadable };
}

function allowsOthers(schema: JsonObject): boolean {
  return OPEN.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
}

/** The schemas that a part gives a property. */
function schemasOf(part: JsonObject, name: string): JsonObject[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = part;
  const named = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const others = named === undefined ? [additionalProperties, unevaluatedProperties] : [named];
  return [...others, ...valuesOf(patternProperties)].filter(isObject);
}

function valuesOf(named: Json | undefined): Json[] {
  return isObject(named) ? Object.values(named) : [];
}
