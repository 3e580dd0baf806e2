import { describe, expect, it } from 'vitest';
import type { Problem } from '../errors.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { createValidator } from './validate.ts';

const check = (schema: JsonObject, value: Json): Problem[] => createValidator().check(schema, value);
const unusable = (reason: string) => [
  { path: '', message: `cannot be checked, because the tool's schema is unusable: ${reason}` },
];
const property = (schema: Json): JsonObject => ({ type: 'object', properties: { a: schema } });

describe('check', () => {
  it.each<[string, JsonObject, Json, Problem[]]>([
    ['a missing argument', { required: ['a'] }, {}, [{ path: 'a', message: 'is required' }]],
    [
      'a wrong type inside',
      property({ type: 'array', items: { type: 'integer' } }),
      { a: [1, 'x'] },
      [{ path: 'a.1', message: 'must be a whole number' }],
    ],
    [
      'an argument too many',
      { ...property({}), additionalProperties: false },
      { b: 1 },
      [{ path: 'b', message: 'is not an argument of this tool' }],
    ],
    [
      'a value out of its list',
      property({ enum: ['x', 'y'] }),
      { a: 'z' },
      [{ path: 'a', message: 'must be one of "x", "y"' }],
    ],
    ['a fixed value', property({ const: 1 }), { a: 2 }, [{ path: 'a', message: 'must be 1' }]],
    [
      'two faults at once',
      { required: ['a', 'b'] },
      {},
      [
        { path: 'a', message: 'is required' },
        { path: 'b', message: 'is required' },
      ],
    ],
    [
      'a key with a slash',
      { properties: { 'a/b': { type: 'string' } } },
      { 'a/b': 1 },
      [{ path: 'a/b', message: 'must be text' }],
    ],
  ])('names %s', (_, schema, value, problems) => {
    expect(check(schema, value)).toEqual(problems);
  });

  it('describes every fault in plain words', () => {
    const faults: [Json, Json][] = [
      [{ maxLength: 500 }, 'x'.repeat(501)],
      [{ minLength: 1 }, ''],
      [{ minLength: 3 }, 'x'],
      [{ maxItems: 1 }, [1, 2]],
      [{ minItems: 2 }, [1]],
      [{ uniqueItems: true }, [1, 1]],
      [{ minimum: 1 }, 0],
      [{ exclusiveMaximum: 1 }, 1],
      [{ multipleOf: 5 }, 3],
      [{ type: ['string', 'null'] }, 1],
      [{ format: 'date' }, 'soon'],
      [{ pattern: '^a$' }, 'b'],
      [{ not: {} }, 1],
      [{ minProperties: 2 }, {}],
    ];
    const said = faults.flatMap(([schema, value]) => check(property(schema), { a: value }).map((one) => one.message));
    expect(said).toEqual([
      'may have at most 500 characters',
      'must not be empty',
      'must have at least 3 characters',
      'may have at most 1 entry',
      'must have at least 2 entries',
      'must not contain duplicates',
      'must be at least 1',
      'must be less than 1',
      'must be a multiple of 5',
      'must be text or null',
      'must be a date, such as 2026-01-31',
      'does not have the required form',
      'does not have one of the allowed forms',
      'must have at least 2 keys',
    ]);
  });

  it('names a few faults, not thousands', () => {
    expect(check({ items: { type: 'string' } }, Array(5000).fill(1))).toHaveLength(8);
  });

  it.each([
    ['uuid', '11111111-1111-4111-8111-111111111111', '1111'],
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2026-01-01T10:00:00+02:00', '2026-01-01T10:00:00'],
    ['email', 'ada@example.org', 'ada'],
    ['uri', 'https://example.org/a', 'not a uri'],
    ['never-heard-of', 'anything', undefined],
  ])('checks the format %s', (format, good, bad) => {
    expect(check({ format }, good)).toEqual([]);
    if (bad !== undefined) expect(check({ format }, bad)).toHaveLength(1);
  });

  it('uses 2020-12, and draft-07 if the schema declares it', () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: [{ type: 'string' }] };
    expect(
      check({ $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] }, [1]),
    ).toHaveLength(1);
    const { prefixItems: _, ...old } = tuple;
    expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', ...old }, [1])).toHaveLength(1);
    expect(
      check({ $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } }, { a: 1 }),
    ).toHaveLength(1);
  });

  it('follows references inside the schema, also recursive ones', () => {
    const schema = {
      $ref: '#/$defs/Node',
      $defs: { Node: { properties: { n: { type: 'number' }, next: { $ref: '#/$defs/Node' } } } },
    };
    expect(check(schema, { next: { next: { n: 'x' } } })).toEqual([
      { path: 'next.next.n', message: 'must be a number' },
    ]);
    const root = { properties: { n: { type: 'number' }, next: { $ref: '#' } } };
    expect(check(root, { next: { n: 'x' } })).toEqual([{ path: 'next.n', message: 'must be a number' }]);
  });

  it('matches patterns in linear time, and ignores those that need backtracking', () => {
    const text = `${'a'.repeat(5000)}!`;
    expect(check({ pattern: '^(a+)+$' }, text)).toHaveLength(1);
    expect(check({ pattern: '^\\d{3}-\\u0041$' }, '123-A')).toEqual([]);
    expect(check({ pattern: '^(?=x)' }, 'y')).toEqual([]);
    expect(check({ pattern: '(((' }, 'y')).toEqual([]);
  });

  it('lets unlisted properties pass beside a pattern that it cannot judge', () => {
    const schema = {
      patternProperties: { '^(?!x)': { type: 'string' }, '^n': { type: 'number' } },
      additionalProperties: false,
    };
    expect(check(schema, { anything: 1 })).toEqual([]);
    expect(check(schema, { n: 'x' })).toHaveLength(1);
  });

  it('does not treat data inside a schema as a schema', () => {
    const data = { pattern: '(((', $ref: 'https://example.org' };
    expect(check({ const: data }, data)).toEqual([]);
    expect(check({ properties: { pattern: { type: 'string' }, $ref: { type: 'string' } } }, data)).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    [
      'another document',
      property({ $ref: 'https://example.org/x.json' }),
      'it refers to another document (https://example.org/x.json)',
    ],
    ['a place that is not there', property({ $ref: '#/$defs/Gone' }), 'it is not valid JSON Schema'],
    ['an unknown type', property({ type: 'strng' }), 'it is not valid JSON Schema'],
    ['great depth', nest(60), 'it is nested deeper than 40 levels'],
    ['great length', { description: 'x'.repeat(300_000) }, 'it is longer than 200000 characters'],
    [
      'many references',
      { allOf: Array(600).fill({ $ref: '#/$defs/A' }), $defs: { A: {} } },
      'it holds more than 500 references',
    ],
    ['references that multiply', doubling(25), 'its references multiply without limit'],
    ['references in a long chain', chain(450), 'its references are nested too deeply'],
    [
      'a document inside',
      { $ref: '#/$defs/A', $defs: { A: { $id: 'https://example.org/a' } } },
      'a part of it has an $id of its own',
    ],
    ['patterns of great size', patterns(10), 'its patterns are too large'],
    ['a circle of references', { allOf: [{ $ref: '#' }] }, 'it refers to itself without end'],
  ])('refuses a schema with %s', (_, schema, reason) => {
    expect(check(schema, { a: 'x' })).toEqual(unusable(reason));
  });

  it('refuses a value that is too large for its schema, and passes a result of this kind', () => {
    const slow = { pattern: '(.*)(.*)(.*)[0-9]{300}[yz]$' };
    expect(check(slow, '1'.repeat(20_000))).toEqual([
      { path: '', message: "cannot be checked: too large for the tool's schema; send less at once" },
    ]);
    expect(createValidator({ acceptsTooLarge: true }).check(slow, '1'.repeat(20_000))).toEqual([]);
  });

  it('finds the duplicate entry among 8,000 objects', () => {
    const objects = Array.from({ length: 8_000 }, (_, id) => ({ id, name: `name ${id}` }));
    expect(check({ uniqueItems: true }, objects)).toEqual([]);
    expect(check({ uniqueItems: true }, [...objects, { name: 'name 7', id: 7 }])).toHaveLength(1);
  });

  it('separates schemas that have the same id', () => {
    const validator = createValidator();
    const shared = { $id: 'https://example.org/tool' };
    expect(validator.check({ ...shared, required: ['a'] }, {})).toEqual([{ path: 'a', message: 'is required' }]);
    expect(validator.check({ ...shared, required: ['b'] }, {})).toEqual([{ path: 'b', message: 'is required' }]);
  });

  it('compiles a schema once', () => {
    const validator = createValidator();
    let reads = 0;
    const schema = {
      get required() {
        reads++;
        return ['a'];
      },
    };
    validator.check(schema, {});
    const once = reads;
    expect(validator.check(schema, {})).toEqual([{ path: 'a', message: 'is required' }]);
    expect(reads).toBe(once);
  });
});

function nest(depth: number): JsonObject {
  return depth === 0 ? {} : { properties: { a: nest(depth - 1) } };
}

function chain(length: number): JsonObject {
  const names = Array.from({ length }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]);
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(names), [`d${length}`]: {} } };
}

function patterns(count: number): JsonObject {
  return { allOf: Array.from({ length: count }, (_, index) => ({ pattern: `^[a-z]{900}${index}$` })) };
}

function doubling(levels: number): JsonObject {
  const twice = (level: number) => ({ allOf: [{ $ref: `#/$defs/d${level}` }, { $ref: `#/$defs/d${level}` }] });
  const names = Array.from({ length: levels }, (_, level) => [`d${level}`, level === 0 ? {} : twice(level - 1)]);
  return { ...twice(levels - 1), $defs: Object.fromEntries(names) };
}
