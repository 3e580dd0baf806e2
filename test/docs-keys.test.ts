import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentJsonSchema } from '../src/config/json-schema.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/agent-yaml.md'), 'utf8');

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  default?: unknown;
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

/** The rows of the page's table: key, default. */
const ROWS = new Map(
  [...PAGE.matchAll(/^\| `([^`]+)` \| (.*?) \| .+ \|$/gm)].map((row) => [row[1] ?? '', row[2] ?? '']),
);
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
});
