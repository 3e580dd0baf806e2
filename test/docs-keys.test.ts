import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TEXTS, keysOf } from '../scripts/docs/agent-yaml-page.ts';
import { GENERATED_PAGES } from '../scripts/docs/generated-pages.ts';
import type { Schema } from '../scripts/docs/schema-text.ts';
import { agentJsonSchema } from '../src/config/json-schema.ts';
import { describedKey, KEY_TEXTS } from '../src/config/key-texts.ts';

const ROOT = join(import.meta.dirname, '..');
const KEYS = keysOf(agentJsonSchema() as Schema); // agentJsonSchema returns a JSON Schema as plain JSON

describe('generated pages', () => {
  it.each(Object.entries(GENERATED_PAGES))('%s is up to date (npm run docs:write)', async (path, make) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(await make());
  });
});

describe('docs/reference/agent-yaml.md', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/agent-yaml.md'), 'utf8');

  it('has one row for every key', () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
    const sections = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    const keys = KEYS.map(({ path }) => path).filter((path) => describedKey(path) === path);
    expect([...rows, ...sections].toSorted()).toEqual(keys.toSorted());
  });

  it('shows the defaults of the schema', () => {
    expect(page).toContain('| `loop.max_iterations` | whole number 1–50 | 15 |');
    expect(page).toContain('| `server.agui_reasoning` | `true` or `false` | true |');
  });

  it('has texts for defaults of keys that exist and have none in the schema', () => {
    const byPath = new Map(KEYS.map((key) => [key.path, key]));
    const isPlain = (value: unknown) => ['number', 'string'].includes(typeof value);
    const wrong = Object.keys(DEFAULT_TEXTS).filter((path) => {
      const key = byPath.get(path);
      return key === undefined || isPlain(key.schema.default);
    });
    expect(wrong).toEqual([]);
  });
});

describe('holodeck schema', () => {
  it('describes every property', () => {
    expect(KEYS.length).toBeGreaterThan(100);
    expect(KEYS.filter(({ schema }) => !schema.description).map(({ path }) => path)).toEqual([]);
  });

  it('has a key for every description', () => {
    const keys = new Set(KEYS.map(({ path }) => path));
    expect(Object.keys(KEY_TEXTS).filter((key) => !keys.has(key))).toEqual([]);
  });
});
