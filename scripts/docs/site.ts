import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { lexer, Marked, walkTokens } from 'marked';
import { anchorOf, headingAnchors, markdownPages } from './links.ts';
import { navigation, type Section, type SitePage, targetOf } from './site-navigation.ts';
import { searchScript } from './site-search.ts';

/**
 * Writes the Markdown pages as a static site with a search. Every link is relative and nothing is loaded from elsewhere, so that
 * the site works from a folder without a server. Source files that a page links to become pages of their own.
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
  writeFileSync(
    join(out, 'search.js'),
    searchScript([...new Set([...sections.flatMap((section) => section.pages), ...pages])]),
  );
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
  const body = withContents(renderMarkdown(page.markdown, rewrite));
  const file = join(out, page.address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, renderPage({ page, body, sections, relative }));
}

/** Markdown as HTML: headings get their anchors, links their new addresses, files their names. */
function renderMarkdown(markdown: string, rewrite: (href: string) => string): string {
  const anchors = headingAnchors(markdown);
  const marked = new Marked({
    walkTokens: (token) => {
      if (token.type === 'link') token.href = rewrite(token.href);
    },
    renderer: {
      heading({ tokens, depth }) {
        const id = anchors.shift() ?? '';
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [, file = ''] = /^\w+ ([\w./-]+\.\w+|\.env)$/.exec(lang) ?? [];
        const caption = file ? `<figcaption>${escapeHtml(file)}</figcaption>` : '';
        return `<figure>${caption}<pre><code>${escapeHtml(text)}</code></pre></figure>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return String(marked.parse(markdown));
}

/** A list of the sections under the title of a page that has several. */
function withContents(body: string): string {
  const sections = [...body.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)];
  if (sections.length < 3) return body;
  const items = sections.map(
    ([, id, text = '']) => `<li><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  );
  const contents = `<details class="contents"><summary>On this page</summary><ul>${items.join('')}</ul></details>`;
  return body.replace('</h1>', () => `</h1>\n${contents}`);
}

interface PageParts {
  page: SitePage;
  body: string;
  sections: readonly Section[];
  relative: (address: string) => string;
}

/** A whole page with its navigation. */
function renderPage({ page, body, sections, relative }: PageParts): string {
  const link = ({ address, title, source }: SitePage) => {
    const current = source === page.source ? ' aria-current="page"' : '';
    return `<li><a href="${relative(address)}"${current}>${escapeHtml(title)}</a></li>`;
  };
  const groups = sections.map(({ title, pages }) => `<h2>${title}</h2>\n<ul>\n${pages.map(link).join('\n')}\n</ul>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · HoloDeck</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<details class="menu"><summary>Pages</summary><nav aria-label="Pages">${groups.join('\n')}</nav></details>
<nav class="side" aria-label="Pages, beside the text">${groups.join('\n')}</nav>
<main id="content">
<search class="search" hidden><input type="search" aria-label="Search the documentation" placeholder="Search"><ol></ol></search>
${body}${nextText(page, sections, relative)}</main>
<script src="${relative('search.js')}" data-root="${relative('search.js').slice(0, -'search.js'.length)}"></script>
</body>
</html>
`;
}

/** Links to the neighbours inside the same group. */
function nextText(page: SitePage, sections: readonly Section[], relative: (address: string) => string): string {
  const group = sections.find(({ pages }) => pages.some(({ source }) => source === page.source))?.pages ?? [];
  const at = group.findIndex(({ source }) => source === page.source);
  const link = (label: string, to: SitePage | undefined) =>
    to ? `<a href="${relative(to.address)}">${label}: ${escapeHtml(to.title)}</a>` : '<span></span>';
  return at < 0 ? '' : `<footer>${link('Back', group[at - 1])}${link('Next', group[at + 1])}</footer>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1f2328, #d7dce2); --quiet: light-dark(#59636e, #9aa4b0);
  --line: light-dark(#d9dee4, #343b44); --code: light-dark(#f5f7f9, #1c2128); --page: light-dark(#fff, #14181d);
  --accent: light-dark(#0b5cad, #7ab7ff); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); background: var(--page); color: var(--text);
  font: 16px/1.6 system-ui, sans-serif; }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem; border-right: 1px solid var(--line); }
.menu { display: none; padding: 1rem; border-bottom: 1px solid var(--line); }
nav h2 { margin: 1.2rem 0 .3rem; font-size: .8rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .05em; }
nav ul { list-style: none; margin: 0; padding: 0; } nav li { margin: .15rem 0; font-size: .92rem; }
nav a { color: var(--text); text-decoration: none; } nav a:hover { text-decoration: underline; }
nav a[aria-current] { color: var(--accent); font-weight: 600; }
main { max-width: 54rem; padding: 2rem 2.5rem 4rem; } a { color: var(--accent); }
h1 { font-size: 2rem; line-height: 1.2; } h2 { margin-top: 2.4rem; } h3 { margin-top: 1.8rem; }
code { font: .88em ui-monospace, Menlo, Consolas, monospace; background: var(--code); padding: .1em .3em; border-radius: 4px; }
figure { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
figcaption { padding: .3rem .9rem; border-bottom: 1px solid var(--line); color: var(--quiet); font: .8rem ui-monospace, monospace; }
pre { margin: 0; padding: .9rem; overflow-x: auto; background: var(--code); line-height: 1.45; } pre code { padding: 0; background: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .92rem; }
th, td { padding: .45rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; } th { background: var(--code); }
img { max-width: 100%; } footer { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; }
.contents { margin: 1rem 0; } .contents ul { margin: .4rem 0; } .search input { width: 100%; padding: .45rem .7rem; font: inherit; }
.search ol { list-style: none; margin: .5rem 0; padding: 0; font-size: .92rem; } .search li { margin: .6rem 0; color: var(--quiet); }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--page); }
@media (max-width: 56rem) { body { display: block; } .side { display: none; } .menu { display: block; } main { padding: 1rem; } }
@media print { .side, .menu, .search, footer { display: none; } body { display: block; } }
`;

/** `npm run docs:site` builds the site in site/. */
if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const out = join(root, 'site');
  rmSync(out, { recursive: true, force: true });
  const pages = buildSite(root, out);
  console.log(`${pages.length} pages: open ${join(out, 'index.html')}`);
}
