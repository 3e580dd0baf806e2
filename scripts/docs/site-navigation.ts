import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A group of links beside every page. */
export interface Section {
  title: string;
  pages: readonly SitePage[];
}

/** The groups of the site. Guides and reference have the order of docs/README.md, the tutorial that of its first page. */
export function navigation(root: string, pages: readonly SitePage[]): Section[] {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const listed = (source: string, under?: string) => {
    const links = linksOf(readFileSync(join(root, source), 'utf8'), under).map((href) => targetOf(source, href).path);
    return links.flatMap((path) => bySource.get(path) ?? []);
  };
  const named = (...sources: string[]) => sources.flatMap((source) => bySource.get(source) ?? []);
  const own = pages.filter(({ source }) => /^docs\/(?!README)[^/]+\.md$/.test(source));
  return [
    { title: 'Start', pages: named('README.md', 'docs/README.md') },
    { title: 'Tutorial', pages: [...named('docs/tutorial/README.md'), ...listed('docs/tutorial/README.md')] },
    { title: 'Guides', pages: listed('docs/README.md', 'Guides') },
    { title: 'Reference', pages: listed('docs/README.md', 'Reference') },
    { title: 'Project', pages: [...own, ...named('CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions')] },
  ];
}

/** The links of a page, or of one section of it. */
function linksOf(markdown: string, under?: string): string[] {
  const [, section = ''] = under
    ? (new RegExp(`^## ${under}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(markdown) ?? [])
    : [];
  return [...(under ? section : markdown).matchAll(/\]\(([^)#]+)\)/g)].map((match) => String(match[1]));
}

/** A page of the site: its source, its address, and its title. */
export interface SitePage {
  source: string;
  address: string;
  title: string;
  markdown: string;
}

/** The file of the repository to which a link of a page leads. */
export function targetOf(source: string, href: string): { path: string; anchor: string } {
  const [path = '', anchor = ''] = href.split('#');
  const from = source === 'docs/decisions' ? 'docs/decisions' : posix.dirname(source);
  const target = path === '' ? source : posix.normalize(posix.join(from, path)).replace(/\/$/, '');
  return { path: target, anchor };
}
