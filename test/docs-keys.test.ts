import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentJsonSchema } from '../src/config/json-schema.ts';
import { KEY_TEXTS } from '../src/config/key-texts.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/agent-yaml.md'), 'utf8');

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
  description?: string;
}

/** Every path of a schema with the defaults that it has; a section has none of its own. */
function pathsOf(schema: Schema, path = ''): [string, unknown][] {
  const { anyOf = [], oneOf = [], items, additionalProperties: more, properties = {} } = schema;
  const inner = [...anyOf, ...oneOf].flatMap((one) => pathsOf(one, path));
  const listed = items ? pathsOf(items, `${path}[]`) : [];
  const named = typeof more === 'object' ? pathsOf(more, `${path}.NAME`) : [];
  const own = Object.entries(properties).flatMap(([key, value]): [string, unknown][] => {
    const at = path ? `${path}.${key}` : key;
    const isSection = value.properties !== undefined;
    return [...(isSection ? [] : [[at, value.default] as [string, unknown]]), ...pathsOf(value, at)];
  });
  return [...inner, ...listed, ...named, ...own];
}

/** Every property of a schema, sections too, with its description. */
function describedKeys(schema: Schema, path = ''): [string, string | undefined][] {
  const { anyOf = [], oneOf = [], items, additionalProperties: more, properties = {} } = schema;
  return [
    ...[...anyOf, ...oneOf].flatMap((one) => describedKeys(one, path)),
    ...(items ? describedKeys(items, `${path}[]`) : []),
    ...(typeof more === 'object' ? describedKeys(more, `${path}.NAME`) : []),
    ...Object.entries(properties).flatMap(([key, value]): [string, string | undefined][] => {
      const at = path ? `${path}.${key}` : key;
      return [[at, value.description], ...describedKeys(value, at)];
    }),
  ];
}

/** The rows of the page's table: key, default, text. */
const TABLE = [...PAGE.matchAll(/^\| `([^`]+)` \| (.*?) \| (.+) \|$/gm)];
const ROWS = new Map(TABLE.map((row) => [row[1] ?? '', row[2] ?? '']));
const TEXTS = new Map(TABLE.map((row) => [row[1] ?? '', row[3] ?? '']));
const DESCRIBED = describedKeys(agentJsonSchema() as Schema); // what zod writes
const PATHS = pathsOf(agentJsonSchema() as Schema) // what zod writes
  .filter(([path]) => !path.startsWith('model.fallback.') && !path.includes('parameters.'));

describe('docs/agent-yaml.md', () => {
  it('has a row for every key, and for no other', () => {
    const keys = new Set(PATHS.map(([path]) => path));
    expect([...ROWS.keys()].filter((key) => key !== 'model.fallback').toSorted()).toEqual([...keys].toSorted());
  });

  it('tells the defaults that hold', () => {
    const plain = PATHS.filter(([, value]) => ['number', 'boolean', 'string'].includes(typeof value));
    const told = plain.map(([path]) => [path, ROWS.get(path)?.split(';')[0]]);
    const held = plain.map(([path, value]) => [path, path.match(/approve|idempotent/) ? 'none' : String(value)]);
    expect(told).toEqual(held);
  });

  it('repeats the descriptions that editors show', () => {
    const keys = new Map(DESCRIBED);
    const shown = [...TEXTS.keys()].map((key) => [key, keys.get(key)]);
    expect([...TEXTS]).toEqual(shown);
  });
});

describe('holodeck schema', () => {
  it('describes every property', () => {
    expect(DESCRIBED.length).toBeGreaterThan(100);
    expect(DESCRIBED.filter(([, text]) => !text).map(([key]) => key)).toEqual([]);
  });

  it('has a key for every description', () => {
    const keys = new Set(DESCRIBED.map(([key]) => key));
    expect(Object.keys(KEY_TEXTS).filter((key) => !keys.has(key))).toEqual([]);
  });
});
