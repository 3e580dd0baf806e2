import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownPages } from '../scripts/docs/links.ts';
import { buildSite } from '../scripts/docs/site.ts';
import { navigation } from '../scripts/docs/site-navigation.ts';
import { temporaryFolder } from './runtime.ts';

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
    const loads = /<(?:script|link|iframe)\b|<img[^>]+src="(?:https?:)?\/\/|@import|url\(/;
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
