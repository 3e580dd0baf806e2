import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../schema/json.ts';
import { User } from '../schema/user.ts';
import { type Binding, type BindOptions, bindTool } from './bind.ts';
import type { Tool } from './tool.ts';
import { createValidator } from './validate.ts';

const user = User.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'Ada' });
const text = { type: 'string' };
const BOUND = { owner_id: '$user.id' };

function bind(inputSchema: JsonObject, about: { bind?: Record<string, string> } & BindOptions = {}) {
  const { bind: paths = BOUND, ...options } = about;
  const run = async () => ({ result: null });
  const tool: Tool = { name: 'add', description: 'Adds', inputSchema, source: 's', run, bind: paths };
  return bindTool(tool, options);
}

function bound(...given: Parameters<typeof bind>): Binding {
  const binding = bind(...given);
  if ('refused' in binding) throw new Error(binding.refused);
  return binding;
}

describe('bindTool › what the model sees', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'properties and required',
      { type: 'object', properties: { owner_id: text, title: text }, required: ['owner_id', 'title'] },
      { type: 'object', properties: { title: text }, required: ['title'] },
    ],
    [
      'what depends on it holds always, and nothing depends on bringing it',
      {
        properties: { owner_id: text },
        dependentRequired: { owner_id: ['title'], note: ['owner_id', 'title'] },
        dependentSchemas: { owner_id: { required: ['title'] }, note: { required: ['owner_id'] } },
      },
      {
        properties: {},
        required: ['title'],
        dependentRequired: { note: ['title'] },
        dependentSchemas: { note: { required: [] } },
        allOf: [{ required: ['title'] }],
      },
    ],
    [
      'dependencies of draft-07, in both forms',
      {
        properties: { owner_id: text },
        dependencies: { owner_id: ['title'], note: { properties: { owner_id: text } } },
      },
      { properties: {}, required: ['title'], dependencies: { note: { properties: {} } } },
    ],
    [
      'branches, where oneOf can no longer distinguish them',
      {
        allOf: [{ properties: { owner_id: text } }],
        anyOf: [{ required: ['owner_id'] }, { required: ['title'] }],
        oneOf: [{ required: ['owner_id'] }, { required: ['title'] }],
      },
      {
        allOf: [{ properties: {} }, { anyOf: [{ required: [] }, { required: ['title'] }] }],
        anyOf: [{ required: [] }, { required: ['title'] }],
      },
    ],
    [
      'a oneOf that does not speak of it',
      { properties: { owner_id: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { properties: {}, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ],
    [
      'then and else, and a condition about it as a whole',
      {
        if: { required: ['note'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { owner_id: text } },
        else: { required: ['owner_id'] },
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ['note'] }, then: { properties: {} }, else: { required: [] } },
    ],
    [
      'a condition about it',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { properties: { owner_id: text, title: text }, if: { required: ['owner_id'] }, then: { required: ['title'] } },
      { properties: { title: text } },
    ],
    [
      'a definition, which stays as others use it',
      {
        $ref: '#/$defs/Task',
        $defs: { Task: { properties: { owner_id: { $ref: '#/$defs/Id' }, title: text } }, Id: text, Unused: text },
      },
      { allOf: [{ properties: { title: text } }] },
    ],
    [
      'examples, defaults and fixed values',
      {
        properties: { owner_id: text },
        default: { owner_id: 'x', a: 1 },
        examples: [{ owner_id: 'x' }, { a: 1 }],
        enum: [{ owner_id: 'x' }],
        const: { owner_id: 'x' },
      },
      { properties: {}, default: { a: 1 }, examples: [{}, { a: 1 }] },
    ],
    [
      'beside names by a pattern that it does not fit',
      { properties: { owner_id: text }, patternProperties: { '^x-[a-z]+$': text } },
      { properties: {}, patternProperties: { '^x-[a-z]+$': text } },
    ],
    [
      'limits on the number of properties',
      { properties: { owner_id: text }, minProperties: 1, maxProperties: 1 },
      { properties: {} },
    ],
  ])('loses the argument: %s', (_, schema, expected) => {
    const before = structuredClone(schema);
    expect(bound(schema).definition).toEqual({ name: 'add', description: 'Adds', inputSchema: expected });
    expect(schema).toEqual(before);
  });

  it('loses a nested argument, even in a definition or beside null, and keeps others of that name', () => {
    const filter = { type: 'object', properties: { owner_id: text, due: text }, required: ['owner_id'] };
    const schema = {
      properties: { filter: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] }, owner_id: text },
      $defs: { Filter: filter },
    };
    expect(bound(schema, { bind: { 'filter.owner_id': '$user.id' } }).definition.inputSchema).toEqual({
      properties: {
        filter: {
          anyOf: [{ allOf: [{ type: 'object', properties: { due: text }, required: [] }] }, { type: 'null' }],
        },
        owner_id: text,
      },
    });
  });

  it('is the unchanged tool when nothing is bound', () => {
    const schema = { properties: { title: text }, additionalProperties: text };
    expect(bound(schema, { bind: {} }).definition.inputSchema).toBe(schema);
  });
});

describe('bindTool › refusals', () => {
  const declared = { properties: { owner_id: text } };
  const node = { properties: { owner_id: text, child: { $ref: '#/$defs/Node' } } };
  it.each<[string, JsonObject, string]>([
    ['lacks the argument', { properties: { title: text } }, 'it does not take owner_id'],
    ['has an argument that looks like it', { properties: { owner_id: text, ownerId: text } }, 'ownerId, looks like it'],
    [
      'takes names by a pattern that fits',
      { ...declared, patternProperties: { '^owner': text } },
      'match ^owner could',
    ],
    ['takes names by a pattern nobody can judge', { ...declared, patternProperties: { '(?=x)': text } }, 'match (?=x)'],
    ['takes names by either of two patterns', { ...declared, patternProperties: { '^x-|id$': text } }, 'match ^x-|id$'],
    ['takes names with a first letter or none', { ...declared, patternProperties: { '^x?o': text } }, 'match ^x?o'],
    ['takes any further names', { ...declared, additionalProperties: text }, 'additionalProperties lets the model'],
    ['judges names', { ...declared, propertyNames: { enum: ['owner_id'] } }, 'propertyNames lets the model'],
    ['isProhibition it', { ...declared, not: { required: ['owner_id'] } }, 'when it must not be there'],
    ['contains itself', { $ref: '#/$defs/Node', $defs: { Node: node } }, 'a schema that contains itself'],
    ['contains itself at once', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }, 'contains itself'],
    ['refers to its own root', { properties: { owner_id: text, child: { $ref: '#' } } }, 'refers to a part of itself'],
    ['refers elsewhere', { $ref: 'https://example.org/s.json' }, 'refers to another document'],
    ['names places', { ...declared, $defs: { A: { $anchor: 'a' } } }, 'uses $anchor'],
    ['has an id inside', { properties: { owner_id: { $id: 'x' } } }, 'uses $id'],
  ])('refuses a tool whose schema %s', (_, schema, reason) => {
    expect(bind(schema)).toEqual({ refused: expect.stringContaining(reason) });
  });

  it.each<[Record<string, string>, string]>([
    [{ 'a..b': '$user.id' }, 'bind a..b: this is not a path'],
    [{ __proto__x: '$user.id', 'constructor.x': '$user.id' }, 'it does not take __proto__x'],
    [{ 'constructor.x': '$user.id' }, 'bind constructor.x: this is not a path'],
    [{ owner_id: '$user.email' }, 'bind owner_id: $user.email is not known; use $user.id or $user.name'],
    [{ owner_id: '$user.id', 'owner_id.x': '$user.id' }, 'bind owner_id.x: it overlaps with owner_id'],
  ])('refuses the binding %j', (paths, refused) => {
    expect(bind(declared, { bind: paths })).toEqual({ refused });
  });
});

describe('bindTool › fill', () => {
  const schema = { properties: { owner_id: text, title: text }, required: ['owner_id'] };

  it('fills in the user and overrides the value of the model', () => {
    const args = { title: 'milk', owner_id: 'someone' };
    expect(bound(schema).fill(args, user)).toEqual({
      own: { title: 'milk' },
      sent: { title: 'milk', owner_id: user.id },
      overridden: ['owner_id'],
    });
  });

  it.each([
    ['nothing about others', {}, false],
    ['that there are no others', { additionalProperties: false }, false],
    ['others explicitly', { additionalProperties: true }, true],
    ['others by a pattern', { patternProperties: { '^user$': {} } }, true],
    ['others in a branch', { anyOf: [{ properties: { user: {} } }] }, true],
    ['others by a reference', { $ref: '#/$defs/more', $defs: { more: { properties: { user: {} } } } }, true],
  ])('sends only declared arguments where the schema says %s', (_, more, isSent) => {
    const schema = { type: 'object', properties: { owner_id: text, title: text }, ...more };
    const { sent, overridden } = bound(schema).fill({ title: 'milk', user: { id: 'someone else' } }, user);
    const own = { title: 'milk', ...(isSent && { user: { id: 'someone else' } }) };
    expect([sent, overridden]).toEqual([{ ...own, owner_id: user.id }, isSent ? [] : ['user']]);
  });

  it('sends only declared properties of objects and lists inside, unless the schema names none or allows others', () => {
    const person = { properties: { name: text, friend: { $ref: '#/$defs/person' } } };
    const schema = {
      properties: {
        owner_id: text,
        person: { $ref: '#/$defs/person' },
        people: { type: 'array', items: { $ref: '#/$defs/person' } },
        open: { ...person, additionalProperties: true },
        byName: { additionalProperties: { $ref: '#/$defs/person' } },
        free: { type: 'object' },
      },
      $defs: { person },
    };
    const extra = { name: 'Ada', user: { id: 'someone else' } };
    const filled = bound(schema).fill(
      { person: { ...extra, friend: extra }, people: [extra, 'x'], open: extra, byName: { a: extra }, free: extra },
      user,
    );
    expect(filled.sent).toEqual({
      owner_id: user.id,
      person: { name: 'Ada', friend: { name: 'Ada' } },
      people: [{ name: 'Ada' }, 'x'],
      open: extra,
      byName: { a: { name: 'Ada' } },
      free: extra,
    });
    expect(filled.overridden).toEqual(['person.user', 'person.friend.user', 'people.user', 'byName.a.user']);
  });

  it('drops other spellings of the name', () => {
    const args = { ownerId: 'x', 'OWNER-ID': 'x', 'owner\u200b_id': 'x', ｏｗｎｅｒ＿ｉｄ: 'x' };
    const filled = bound(schema).fill(args, user);
    expect(filled).toEqual({ own: {}, sent: { owner_id: user.id }, overridden: ['owner_id'] });
  });

  it('creates the objects on the path, and replaces values that are not objects', () => {
    const nested = { properties: { filter: { properties: { owner_id: text, due: text } } } };
    const { fill } = bound(nested, { bind: { 'filter.owner_id': '$user.id' } });
    const filter = { owner_id: user.id };
    expect(fill({}, user)).toEqual({ own: {}, sent: { filter }, overridden: [] });
    expect(fill({ filter: { due: 'today' } }, user).sent).toEqual({ filter: { due: 'today', ...filter } });
    for (const value of ['x', ['x'], null, 7])
      expect(fill({ filter: value }, user)).toEqual({
        own: { filter: value },
        sent: { filter },
        overridden: ['filter.owner_id'],
      });
  });

  it('sends a name or a fixed value, and nothing for a name that is not known', () => {
    const paths = { owner_id: '$user.name', title: 'fixed' };
    const { fill } = bound(schema, { bind: paths });
    expect(fill({}, user).sent).toEqual({ owner_id: 'Ada', title: 'fixed' });
    expect(fill({ owner_id: 'x' }, User.parse({ id: user.id })).sent).toEqual({ title: 'fixed' });
  });

  it('sends nothing for an argument that the tool may lack, not even the value of the model', () => {
    const { fill, definition } = bound({ properties: { title: text } }, { mayLackBound: true });
    expect(definition.inputSchema).toEqual({ properties: { title: text } });
    expect(fill({ owner_id: 'x', title: 'milk' }, user)).toEqual({
      own: { title: 'milk' },
      sent: { title: 'milk' },
      overridden: ['owner_id'],
    });
  });
});

describe('bindTool against a hostile model', () => {
  const key = fc.constantFrom('owner_id', 'ownerId', 'OWNER_ID', '__proto__', 'constructor', 'filter', 'title', '0');
  const { value: hostile } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
    object: fc
      .dictionary(key, tie('value'), { maxKeys: 6 })
      .map((entries) => Object.assign(Object.create(null), entries)),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value')),
      tie('object'),
    ),
  }));
  const parsed = fc
    .dictionary(key, hostile, { maxKeys: 8 })
    .map((args) => JSON.parse(JSON.stringify(args)) as JsonObject);
  const leaf = { properties: { owner_id: text, title: {} }, required: ['owner_id'] };

  it.each([
    { path: 'owner_id', schema: leaf },
    { path: 'filter.owner_id', schema: { properties: { filter: leaf, title: {} } } },
    { path: 'filter.title.owner_id', schema: { properties: { filter: { properties: { title: leaf } } } } },
  ])("always sends the user's id at $path, and changes nothing of the model's", ({ path, schema }) => {
    const { fill } = bound(schema, { bind: { [path]: '$user.id' } });
    fc.assert(
      fc.property(parsed, (args) => {
        const before = JSON.stringify(args);
        const { sent } = fill(args, user);
        const parts = path.split('.');
        let at: unknown = sent;
        for (const part of parts) at = Object.getOwnPropertyDescriptor(Object(at), part)?.value;
        expect(at).toBe(user.id);
        expect(JSON.stringify(args)).toBe(before);
        expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
      }),
      { numRuns: 500 },
    );
  });

  it('never shows the bound name, and accepts the filled-in value wherever it accepts the rest', () => {
    const { schema: schemas } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constant<JsonObject>({ properties: { owner_id: text, title: text }, required: ['owner_id'] }),
        fc.constant<JsonObject>({ $ref: '#/$defs/Task' }),
        fc.constant<JsonObject>({ dependentRequired: { owner_id: ['title'], title: ['owner_id'] } }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ if: tie('schema'), else: tie('schema') }),
        fc.record({ dependentSchemas: fc.record({ owner_id: tie('schema'), title: tie('schema') }) }),
      ),
    }));
    const validator = createValidator();
    const Task = { properties: { owner_id: text }, required: ['owner_id', 'title'] };
    fc.assert(
      fc.property(schemas, fc.boolean(), (drawn, hasTitle) => {
        const schema = { ...drawn, properties: { owner_id: text }, $defs: { Task } };
        const { definition, fill } = bound(schema);
        expect(JSON.stringify(definition.inputSchema)).not.toContain('owner_id');
        const { own, sent } = fill(hasTitle ? { title: 'milk' } : {}, user);
        const isGood = validator.check(schema, sent).length === 0;
        if (isGood) expect(validator.check(definition.inputSchema, own)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
