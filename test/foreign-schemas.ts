import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../src/schema/json.ts';

const NAMES = ['a', 'b', 'c', 'id', '__proto__', 'constructor'];
const PATTERNS = ['^a', 'b$', '^[a-c]+$', '^(a|b)*c?$', '(a+)+b', '^.{0,3}$', '[0-9]{2,}'];
const FORMATS = ['date', 'email', 'uuid', 'uri', 'unknown'];
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const REFERENCES = ['#', '#/$defs/a', '#/$defs/b'];

const name = fc.constantFrom(...NAMES);
const count = fc.integer({ min: 0, max: 4 });

/** Small JSON values with many equal parts. */
export const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(
      fc.constantFrom('a', 'ab', 'abc', '2026-01-31', 'x', ''),
      fc.constantFrom(0, 1, 1.5, -1, 12),
      fc.boolean(),
    ),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    toObject(name, tie('value')),
  ),
})).value;

/** Schemas with every keyword, alone and nested. */
export const anySchema: fc.Arbitrary<JsonObject> = fc
  .tuple(subschema(), subschema(), subschema())
  .map(([root, a, b]) => ({ ...(isObject(root) ? root : {}), $defs: { a, b } }));

function subschema(): fc.Arbitrary<Json> {
  return fc.letrec<{ schema: Json; object: Json }>((tie) => {
    const one = tie('schema');
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.oneof(fc.boolean(), fc.record({ type: fc.constantFrom(...TYPES) })),
        tie('object'),
      ),
      object: someOf({ ...valueKeywords(), ...listKeywords(one), ...objectKeywords(one), ...combinations(one) }),
    };
  }).schema;
}

/** A schema has few keywords at once, so that values can satisfy it. */
function someOf(keywords: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> {
  const names = Object.keys(keywords);
  return fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .chain((chosen) =>
      fc.tuple(...chosen.map((keyword) => fc.tuple(fc.constant(keyword), keywords[keyword] ?? fc.constant(true)))),
    )
    .map((entries) => Object.fromEntries(entries.flatMap(([keyword, value]) => spread(keyword, value))));
}

/** Keywords that have a meaning only together are generated together. */
function spread(keyword: string, value: Json): [string, Json][] {
  return keyword === 'together' && isObject(value) ? Object.entries(value) : [[keyword, value]];
}

function valueKeywords(): Record<string, fc.Arbitrary<Json>> {
  return {
    type: fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
    ),
    enum: fc.array(anyValue, { minLength: 1, maxLength: 4 }),
    const: anyValue,
    minimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom(...PATTERNS),
    format: fc.constantFrom(...FORMATS),
  };
}

function listKeywords(one: fc.Arbitrary<Json>): Record<string, fc.Arbitrary<Json>> {
  return {
    items: one,
    prefixItems: fc.array(one, { minLength: 1, maxLength: 3 }),
    contains: one,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    unevaluatedItems: one,
  };
}

function objectKeywords(one: fc.Arbitrary<Json>): Record<string, fc.Arbitrary<Json>> {
  return {
    properties: toObject(name, one),
    patternProperties: toObject(fc.constantFrom(...PATTERNS), one),
    additionalProperties: one,
    propertyNames: one,
    required: fc.uniqueArray(name, { maxLength: 3 }),
    minProperties: count,
    maxProperties: count,
    dependentRequired: toObject(name, fc.uniqueArray(name, { maxLength: 2 })),
    dependentSchemas: toObject(name, one),
    unevaluatedProperties: one,
  };
}

function combinations(one: fc.Arbitrary<Json>): Record<string, fc.Arbitrary<Json>> {
  const some = fc.array(one, { minLength: 1, maxLength: 3 });
  return {
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: one,
    together: fc.tuple(one, one, one).map((parts) => Object.fromEntries(zip(['if', 'then', 'else'], parts))),
    $ref: fc.constantFrom(...REFERENCES),
  };
}

function zip(names: string[], values: Json[]): [string, Json][] {
  return names.map((name, index) => [name, values[index] ?? true]);
}

function toObject(key: fc.Arbitrary<string>, value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** Makes small parts large: repeated, nested, or both, up to `maxCopies` copies. */
export function enlarge(maxCopies: number): fc.Arbitrary<(schema: JsonObject, value: Json) => [JsonObject, Json]> {
  const copies = fc.integer({ min: 1, max: maxCopies });
  return fc.tuple(fc.constantFrom(...ENLARGEMENTS), copies).map(
    ([change, times]) =>
      (schema, value) =>
        change(schema, value, times),
  );
}

type Enlargement = (schema: JsonObject, value: Json, copies: number) => [JsonObject, Json];

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const numbered = (count: number, value: Json): JsonObject =>
  Object.fromEntries(times(count, (index) => [`k${index}`, value]));
const within = ({ $defs, ...schema }: JsonObject, wrap: (inner: JsonObject) => JsonObject): JsonObject => ({
  ...wrap(schema),
  ...($defs !== undefined && { $defs }),
});

const ENLARGEMENTS: readonly Enlargement[] = [
  (schema, value) => [schema, value],
  (schema, value, copies) => [
    within(schema, (items) => ({ items, uniqueItems: true })),
    times(copies, (id) => ({ id, value })),
  ],
  (schema, value, copies) => [within(schema, (items) => ({ items })), times(copies, () => value)],
  (schema, value, copies) => [
    within(schema, (contains) => ({ contains, minContains: copies })),
    times(copies, () => value),
  ],
  (_, value, copies) => [
    { items: { enum: times(copies, (id) => ({ id, value })) } },
    times(copies, (id) => ({ id, value })),
  ],
  (schema, value, copies) => [
    within(schema, (inner) => ({ additionalProperties: inner, propertyNames: { pattern: '^(k|l)*[0-9]+$' } })),
    numbered(copies, value),
  ],
  (schema, value, copies) => [
    within(schema, (inner) => ({ items: { anyOf: times(Math.min(copies, 300), () => ({ not: inner })) } })),
    times(copies, () => value),
  ],
  (schema, value, copies) => [
    within(schema, (inner) => ({
      items: { patternProperties: Object.fromEntries(times(Math.min(copies, 200), (index) => [`^k${index}`, inner])) },
    })),
    times(Math.min(copies, 50), () => numbered(copies, value)),
  ],
  (schema, value, copies) => [
    within(schema, (inner) => ({
      allOf: times(Math.min(copies, 300), () => ({ unevaluatedProperties: inner, required: ['k0'] })),
    })),
    numbered(copies, value),
  ],
  (_, value, copies) => [
    { required: times(copies, (index) => `k${index}`), items: { required: times(copies, (index) => `k${index}`) } },
    times(copies, () => (isObject(value) ? value : {})),
  ],
  (_, value, copies) => [
    { $ref: '#/$defs/twice', $defs: { twice: { oneOf: [branch('#/$defs/twice'), branch('#/$defs/twice')] } } },
    nest(value, Math.min(copies, 60)),
  ],
  (_, _value, copies) => [{ pattern: '(.*)(.*)(.*)[0-9]{100}[yz]$' }, '1'.repeat(copies * 10)],
  (_, _value, copies) => [{ items: { pattern: '^(x?){300}[yz]$' } }, times(copies, () => 'x'.repeat(300))],
];

function branch($ref: string): JsonObject {
  return { properties: { a: { $ref } } };
}

function nest(value: Json, depth: number): Json {
  return depth === 0 ? value : { a: nest(value, depth - 1) };
}

/** A view of a JSON value that counts the reads of its parts. */
export function countReads(value: Json): { value: Json; reads(): number } {
  let reads = 0;
  const wrap = (inner: Json): Json => {
    if (typeof inner !== 'object' || inner === null) return inner;
    return new Proxy(inner, {
      get(target, key) {
        reads++;
        const part: unknown = Reflect.get(target, key);
        // Own parts of JSON are JSON; everything else belongs to the prototype.
        return Object.hasOwn(target, key) ? wrap(part as Json) : part;
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        reads += keys.length;
        return keys;
      },
      getOwnPropertyDescriptor(target, key) {
        reads++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  };
  return { value: wrap(value), reads: () => reads };
}
