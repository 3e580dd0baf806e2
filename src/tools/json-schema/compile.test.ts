import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { anySchema, anyValue } from '../../../test/foreign-schemas.ts';
import { fuzzSchemas } from '../../../test/fuzz-schemas.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { compileSchema, FREE_STEPS } from './compile.ts';
import { estimatePattern } from './patterns.ts';
import { FORMATS } from './value-keywords.ts';

const seed = Number(process.env.SEED ?? 1);
const steps = (schema: JsonObject, value: Json) => compileSchema(schema).check(value).steps;
const objects = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', id] }));

describe('compileSchema', () => {
  it('agrees with ajv on every keyword', () => {
    const agrees = (schema: JsonObject, value: Json) => {
      const expected = askAjv(schema, value);
      if (expected === undefined) return;
      const { problems, stopped } = compileSchema(schema).check(value);
      // ajv does not reach a circular reference after an earlier fault.
      if (stopped === 'endless reference') return;
      expect({ stopped, isValid: problems.length === 0 }).toEqual({ stopped: undefined, isValid: expected });
    };
    fc.assert(fc.property(anySchema, anyValue, agrees), { numRuns: 1_000, seed });
  });

  it('takes steps in proportion to the sizes of schema and value, whatever the schema', () => {
    expect(fuzzSchemas({ pairs: 200, maxCopies: 200, seed })).toMatchObject({ pairs: 200, beyond: [] });
  });

  it.each<[string, (count: number) => [JsonObject, Json]]>([
    ['uniqueItems', (count) => [{ uniqueItems: true }, objects(count)]],
    ['enum', (count) => [{ items: { enum: objects(count) } }, objects(count)]],
    ['const', (count) => [{ anyOf: [{ const: objects(count) }, { const: objects(count + 1) }] }, objects(count + 1)]],
    ['contains', (count) => [{ contains: { required: ['none'] }, minContains: 0 }, objects(count)]],
    ['propertyNames', (count) => [{ propertyNames: { pattern: '^[a-z]+[0-9]+$' } }, keys(count)]],
    [
      'unevaluatedProperties',
      (count) => [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: {} }, keys(count)],
    ],
    [
      'a list of objects',
      (count) => [
        { items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
        objects(count),
      ],
    ],
  ])('needs about twice the steps for twice the size with %s', (_, make) => {
    const [small, large] = [steps(...make(500)), steps(...make(1_000))];
    expect(large / small).toBeLessThan(2.4);
    expect(compileSchema(make(5_000)[0]).check(make(5_000)[1])).toMatchObject({ problems: [] });
    expect(compileSchema(make(5_000)[0]).check(make(5_000)[1]).stopped).toBeUndefined();
  });

  it('stops where branches double with every level of the value', () => {
    const inner = { properties: { a: { $ref: '#/$defs/n' } } };
    const compiled = compileSchema({ $ref: '#/$defs/n', $defs: { n: { oneOf: [inner, inner] } } });
    const value = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    expect(compiled.check(value).stopped).toBe('too large');
    expect(compiled.check(value).steps).toBeLessThan(FREE_STEPS + 10_000);
  });

  it('stops before a pattern that would follow thousands of paths over a long text', () => {
    const compiled = compileSchema({ pattern: '(.*)(.*)(.*)[0-9]{300}[yz]$' });
    expect(compiled.check('1'.repeat(20_000))).toEqual({ problems: [], steps: 1, stopped: 'too large' });
    expect(compiled.check('1'.repeat(100)).stopped).toBeUndefined();
  });

  it('checks two thousand ids by the pattern that zod writes for them', () => {
    const hex = '[0-9a-fA-F]';
    const pattern = `^(${hex}{8}-${hex}{4}-[1-8]${hex}{3}-[89abAB]${hex}{3}-${hex}{12}|00000000-0000-0000-0000-000000000000)$`;
    const ids = Array.from({ length: 2_000 }, () => '11111111-1111-4111-8111-111111111111');
    expect(compileSchema({ items: { type: 'string', format: 'uuid', pattern } }).check(ids)).toMatchObject({
      problems: [],
    });
    expect(compileSchema({ items: { pattern } }).check([...ids, 'x']).problems).toHaveLength(1);
  });

  it('accepts 19.99 as a multiple of 0.01, but not 19.995', () => {
    const compiled = compileSchema({ multipleOf: 0.01 });
    expect([19.99, 0.07, 1e15, 19.995].map((value) => compiled.check(value).problems.length)).toEqual([0, 0, 0, 1]);
  });

  it('names what a property depends on', () => {
    const { problems } = compileSchema({ dependentRequired: { a: ['b'] } }).check({ a: 1 });
    expect(problems).toEqual([{ path: 'b', message: 'is required' }]);
  });

  it('stops at a value that is nested deeper than the stack', () => {
    let value: Json = 1;
    for (let level = 0; level < 20_000; level++) value = [value];
    expect(compileSchema({ items: { $ref: '#' } }).check(value)).toMatchObject({ stopped: 'too large' });
    expect(compileSchema({ uniqueItems: true }).check(value)).toMatchObject({ stopped: 'too large' });
  });
});

describe('estimatePattern', () => {
  it('is never below the size of the compiled pattern', () => {
    const atom = fc.constantFrom(
      'a',
      '.',
      '[a-c]',
      '\\d',
      '\\p{L}',
      '^',
      '$',
      '\\b',
      '|',
      '(',
      ')',
      '(?:',
      '{3}',
      '{0,7}',
      '{2,}',
    );
    const pattern = fc
      .array(fc.oneof(atom, fc.constantFrom('*', '+', '?')), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, (source) => {
        const size = programSize(source);
        if (size !== undefined) expect(estimatePattern(source).size).toBeGreaterThanOrEqual(size);
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });
});

function keys(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

/** The verdict of ajv; undefined if its compiler or its stack gives up. It ignores properties named __proto__. */
function askAjv(schema: JsonObject, value: Json): boolean | undefined {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateSchema: false,
    meta: false,
    formats: FORMATS,
    ownProperties: true,
  });
  if (JSON.stringify([schema, value]).includes('__proto__')) return undefined;
  try {
    return ajv.compile(schema)(value) === true;
  } catch {
    return undefined;
  }
}

function programSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize();
  } catch {
    return undefined;
  }
}
