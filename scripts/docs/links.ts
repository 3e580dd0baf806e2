import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { lexer, type Token, walkTokens } from 'marked';

/** Every Markdown page of the repository, as a path from its root. */
export function markdownPages(root: string): string[] {
  const patterns = ['*.md', 'docs/**/*.md', 'lab/**/*.md', 'examples/*/*.md'];
  const pages = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
  return pages.map((page) => page.replaceAll('\\', '/')).toSorted();
}

/** Links and images of the pages that lead nowhere: a missing file, or a heading that its page does not have. */
export function brokenLinks(root: string, pages = markdownPages(root)): string[] {
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(root, page), 'utf8'))
      .filter((link) => !/^[a-z]+:/i.test(link))
      .flatMap((link) => problemOf(root, page, link)),
  );
}

function problemOf(root: string, page: string, link: string): string[] {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(root, target))) return [`${page}: ${link}: there is no such file`];
  if (anchor === undefined) return [];
  if (!target.endsWith('.md') || statSync(join(root, target)).isDirectory()) return [`${page}: ${link}: not a page`];
  const anchors = headingAnchors(readFileSync(join(root, target), 'utf8'));
  return anchors.includes(anchor) ? [] : [`${page}: ${link}: there is no such heading`];
}

function linksOf(markdown: string): string[] {
  const links: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return links;
}

/** The anchors of a page in their order. A heading that comes twice gets a number, as on GitHub. */
export function headingAnchors(markdown: string): string[] {
  const seen = new Map<string, number>();
  const headings: Token[] = lexer(markdown).filter((token) => token.type === 'heading');
  return headings.map((token) => {
    const anchor = anchorOf('text' in token ? token.text : '');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The anchor that GitHub gives to a heading. */
export function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
