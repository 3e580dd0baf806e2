import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { anchorOf, markdownPages } from './links.ts';
import { navigation, type Section, type SitePage, targetOf } from './site-navigation.ts';
import { renderMarkdown, renderPage } from './site-page.ts';

/**
 * Writes the Markdown pages as a static site. Every link is relative and nothing is loaded from elsewhere, so that the site
 * works from a folder without a server. Source files that a page links to become pages of their own.
 */
export function buildSite(root: string, out: string): SitePage[] {
  const pages = [
    ...markdownPages(root)
      .filter(isPublic)
      .map((source) => readPage(root, source)),
    decisionsPage(root),
  ];
  const sections = navigation(root, pages);
  const linked = linkedFiles(root, pages);
  const addresses = new Map([...pages, ...linked].map(({ source, address }) => [source, address]));
  for (const page of [...pages, ...linked]) writePage(out, page, { sections, addresses });
  mkdirSync(join(out, 'docs/images'), { recursive: true });
  cpSync(join(root, 'docs/images'), join(out, 'docs/images'), { recursive: true });
  return [...pages, ...linked];
}

function isPublic(source: string): boolean {
  return /^(?:README|CONTRIBUTING|CHANGELOG|docs\/.*)\.md$/.test(source);
}

function readPage(root: string, source: string): SitePage {
  const markdown = readFileSync(join(root, source), 'utf8');
  const [, title = source] = /^# (.+)$/m.exec(markdown) ?? [];
  return { source, address: addressOf(source), title: title.replaceAll('`', ''), markdown };
}

/** `README.md` becomes the index of its folder. */
function addressOf(source: string): string {
  return source.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');
}

/** The list of the decisions by number: their folder has no page of its own. */
function decisionsPage(root: string): SitePage {
  const pages = markdownPages(root).filter((source) => source.startsWith('docs/decisions/'));
  const decisions = pages.flatMap((source) => {
    const { markdown } = readPage(root, source);
    const titles = [...markdown.matchAll(/^##? (\d+\. .+)$/gm)].map(([, title = '']) => title);
    return titles.map((title) => ({ title, link: `${posix.basename(source)}#${anchorOf(title)}` }));
  });
  decisions.sort((a, b) => Number.parseInt(a.title, 10) - Number.parseInt(b.title, 10));
  const items = decisions.map(({ title, link }) => `- [${title}](${link})`);
  const markdown = `# Decisions\n\nEach decision with its reason, by number.\n\n${items.join('\n')}\n`;
  return { source: 'docs/decisions', address: 'docs/decisions/index.html', title: 'Decisions', markdown };
}

/** Files of the repository that pages link to, as pages that show their text. */
function linkedFiles(root: string, pages: readonly SitePage[]): SitePage[] {
  const known = new Set(pages.map(({ source }) => source));
  const found = new Set<string>();
  for (const { source, markdown } of pages) {
    walkTokens(lexer(markdown), (token) => {
      if (token.type !== 'link' || /^(?:[a-z]+:|#)/i.test(token.href)) return;
      const target = targetOf(source, token.href).path;
      if (!known.has(target) && existsSync(join(root, target))) found.add(target);
    });
  }
  return [...found].map((source) => {
    const isFolder = statSync(join(root, source)).isDirectory();
    const text = isFolder ? 'A folder of the repository.' : readFileSync(join(root, source), 'utf8');
    const isMarkdown = source.endsWith('.md');
    const markdown = isFolder || isMarkdown ? text : `\`\`\`\`\n${text}\n\`\`\`\``;
    const head = isMarkdown ? '' : `# ${source}\n\n`;
    return { source, address: `${source}.html`, title: source, markdown: `${head}${markdown}` };
  });
}

interface Context {
  sections: readonly Section[];
  addresses: ReadonlyMap<string, string>;
}

function writePage(out: string, page: SitePage, { sections, addresses }: Context): void {
  const relative = (address: string) => posix.relative(posix.dirname(page.address), address) || posix.basename(address);
  const rewrite = (href: string) => {
    if (/^[a-z]+:/i.test(href)) return href;
    const { path, anchor } = targetOf(page.source, href);
    const address = addresses.get(path);
    if (address === undefined) return href;
    return `${relative(address)}${anchor ? `#${anchor}` : ''}`;
  };
  const body = renderMarkdown(page.markdown, rewrite);
  const file = join(out, page.address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, renderPage({ page, body, sections, relative }));
}
