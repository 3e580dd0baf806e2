import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TEXTS, keysOf } from '../scripts/docs/agent-yaml-page.ts';
import { GENERATED_PAGES } from '../scripts/docs/generated-pages.ts';
import { brokenLinks, headingAnchors, markdownPages } from '../scripts/docs/links.ts';
import type { Schema } from '../scripts/docs/schema-text.ts';
import { buildSite } from '../scripts/docs/site.ts';
import { navigation } from '../scripts/docs/site-navigation.ts';
import { agentJsonSchema } from '../src/config/json-schema.ts';
import { describedKey, KEY_TEXTS } from '../src/config/key-texts.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');

describe('links between pages', () => {
  it('lead to files, headings and images that exist', () => {
    expect(brokenLinks(ROOT)).toEqual([]);
  });

  it('leave no page out', () => {
    const pages = new Set(markdownPages(ROOT));
    expect([...pages]).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/README.md']));
    expect(globSync('docs/**/*.md', { cwd: ROOT }).filter((page) => !pages.has(page))).toEqual([]);
  });

  it('join pages that have each heading of the second level once', () => {
    const repeated = markdownPages(ROOT).flatMap((page) => {
      const headings: string[] = readFileSync(join(ROOT, page), 'utf8').match(/^## .+$/gm) ?? [];
      return headings
        .filter((heading, index) => headings.indexOf(heading) !== index)
        .map((heading) => `${page}: ${heading}`);
    });
    expect(repeated).toEqual([]);
  });

  it('name each file that a reader saves in the words before it: a block shows no name', () => {
    const unnamed = markdownPages(ROOT).flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return [...text.matchAll(/^```(?!console)\w+ (\S+\.\w+)$/gm)]
        .filter(({ index, 1: name = '' }) => !text.slice(0, index).split('\n```').at(-1)?.includes(basename(name)))
        .map(([, name]) => `${page}: ${name}`);
    });
    expect(unnamed).toEqual([]);
  });

  it('are reported when they lead nowhere', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'docs'));
    writeFileSync(
      join(folder, 'docs/a.md'),
      '# A\n\n[b](b.md) [c](b.md#no) [d](b.md#yes) ![e](e.svg) [f](#a) <https://x.test>\n',
    );
    writeFileSync(join(folder, 'docs/b.md'), '# Yes\n');
    expect(brokenLinks(folder)).toEqual([
      'docs/a.md: b.md#no: there is no such heading',
      'docs/a.md: e.svg: there is no such file',
    ]);
  });

  it('use the anchors that GitHub gives to headings', () => {
    expect(headingAnchors('# `/compact` and *more*\n## What is it?\n## What is it?\n')).toEqual([
      'compact-and-more',
      'what-is-it',
      'what-is-it-1',
    ]);
  });
});

it('paths under docs/ that code, tests and messages name exist', () => {
  const files = globSync(['{src,test,scripts,bench,bin,agents}/**/*.{ts,js,yaml}'], { cwd: ROOT });
  const named = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.(?:md|svg|txt)/g)].map(([path]) => path),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(ROOT, path)) && !/^docs\/[abe]\./.test(path))).toEqual([]);
});

describe('docs keys', () => {
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
});

describe('docs site', () => {
  const ROOT = join(import.meta.dirname, '..');

  /** Addresses in the page that lead to no file of the site, to no heading, or to another machine. */
  function badAddresses(folder: string, file: string): string[] {
    const html = readFileSync(join(folder, file), 'utf8');
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => String(match[1]));
    return addresses.flatMap((address) => {
      if (/^https?:/.test(address)) return [];
      const [path = '', anchor = ''] = address.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (address.startsWith('/') || !existsSync(join(folder, target))) return [`${file}: ${address}`];
      const hasAnchor = anchor === '' || readFileSync(join(folder, target), 'utf8').includes(`id="${anchor}"`);
      return hasAnchor ? [] : [`${file}: ${address}: no such heading`];
    });
  }

  describe('the documentation as a site', () => {
    it('has every page, and every link works from a folder', () => {
      const folder = temporaryFolder();
      const pages = buildSite(ROOT, folder);
      const files = globSync('**/*.html', { cwd: folder });
      expect(files.length).toBe(pages.length);
      expect(files).toEqual(
        expect.arrayContaining(['index.html', 'docs/tutorial/index.html', 'docs/reference/routes.html']),
      );
      expect(files.flatMap((file) => badAddresses(folder, file))).toEqual([]);
    });

    it('loads nothing from elsewhere', () => {
      const folder = temporaryFolder();
      buildSite(ROOT, folder);
      const html = globSync('**/*.html', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
      const loads =
        /<(?:link|iframe)\b|<script(?! src="(?:\.\.\/)*search\.js")|<img[^>]+src="(?:https?:)?\/\/|@import|url\(/;
      expect(html.filter((text) => loads.test(text.replace(/<code>[\s\S]*?<\/code>/g, '')))).toEqual([]);
    });

    it('leads to every page of docs/ by its navigation', () => {
      const pages = buildSite(ROOT, temporaryFolder());
      const shown = new Set(navigation(ROOT, pages).flatMap((section) => section.pages.map(({ source }) => source)));
      const docs = markdownPages(ROOT).filter(
        (source) => source.startsWith('docs/') && !source.startsWith('docs/decisions/'),
      );
      expect(docs.filter((source) => !shown.has(source))).toEqual([]);
    });
  });
});
