import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentJsonSchema } from '../src/config/json-schema.ts';
import { openApiDocument } from '../src/server/openapi/openapi.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/reference/names.md'), 'utf8');

/** Names of the library and the command line, and values that no schema lists. */
const OTHER_NAMES = [
  'runAgent',
  'history',
  'user',
  'userFromId',
  'all',
  'tool',
  'ag-ui',
  'rest',
  'space',
  'domain',
  'domains_accessed',
  'rows',
];

/** Every property name and every value of an enumeration in a JSON Schema. */
function namesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'properties') return [...Object.keys(inner), ...Object.values(inner).flatMap(namesOf)];
    if (key === 'enum') return inner.map(String);
    if (key === 'const') return [String(inner)];
    return namesOf(inner);
  });
}

it('docs/reference/names.md names things that exist', () => {
  const known = new Set([...namesOf(agentJsonSchema()), ...namesOf(openApiDocument()), ...OTHER_NAMES]);
  const rows = [...PAGE.matchAll(/^\|.*\| (.+) \|$/gm)].map((match) => String(match[1]));
  const codes = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map((match) => String(match[1])));
  const names = codes.filter((code) => /^[a-z][\w.[\]]*$/.test(code) && !/\.\d/.test(code));
  expect(names.length).toBeGreaterThan(100);
  const unknown = names.filter((name) => name.split('.').some((part) => !known.has(part.replace('[]', ''))));
  expect(unknown).toEqual([]);
});
