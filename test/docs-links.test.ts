import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks, headingAnchors, markdownPages } from '../scripts/docs/links.ts';
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
