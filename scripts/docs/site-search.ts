import { headingAnchors } from './links.ts';
import type { SitePage } from './site-navigation.ts';

/** A part of a page under one heading. */
interface Part {
  page: string;
  heading: string;
  address: string;
  text: string;
}

/** `search.js` of the site: a script that works from a folder too, where a page may not read other files. */
export function searchScript(pages: readonly SitePage[]): string {
  return `const PARTS = ${JSON.stringify(pages.flatMap(partsOf))};\n${findParts}\n${SHOW}`;
}

/** A page is split at its headings, so that a result opens at the right place. */
function partsOf({ title, address, markdown }: SitePage): Part[] {
  const anchors = headingAnchors(markdown);
  // A line that begins with # inside of a block is no heading.
  const fences = markdown.replace(/^(`{3,})[\s\S]*?^\1/gm, (block) => block.replaceAll(/^#/gm, ' #'));
  const [before = '', ...sections] = fences.split(/^#{1,6} /m);
  const parts = sections.map((section, index) => {
    const [heading = '', ...lines] = section.split('\n');
    return { heading, text: lines.join('\n'), anchor: anchors[index] ?? '' };
  });
  return [{ heading: title, text: before, anchor: '' }, ...parts]
    .map(({ heading, text, anchor }) => ({
      page: title,
      heading: plain(heading),
      address: anchor ? `${address}#${anchor}` : address,
      text: plain(text),
    }))
    .filter(({ text, heading }) => text !== '' || heading !== title);
}

function plain(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^[-#]+ |^---+$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The parts that have every word, the best first: a word of a title or a heading counts more than one of the text, and of equals
 * the first counts.
 */
function findParts(parts: readonly Part[], query: string): Part[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scoreOf = ({ page, heading, text }: Part): number => {
    const scores = words.map((word) => {
      const [inHeading = 0, inPage = 0, inText = 0] = [heading, page, text].map(
        (one) => one.toLowerCase().split(word).length - 1,
      );
      return (inHeading ? 8 : 0) + (inPage ? 4 : 0) + Math.min(inText, 5);
    });
    return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
  };
  return parts
    .map((part) => ({ part, score: scoreOf(part) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12)
    .map(({ part }) => part);
}

/** Code of the browser is text: its types would replace those of Node in all sources. */
const SHOW = `
const search = document.querySelector('.search');
const [field, list] = [search.querySelector('input'), search.querySelector('ol')];
const root = document.currentScript.dataset.root;
search.hidden = false;
field.addEventListener('input', () => {
  list.replaceChildren(...findParts(PARTS, field.value).map(({ page, heading, address, text }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root + address;
    link.textContent = heading === page ? page : page + ' › ' + heading;
    const [word] = field.value.trim().toLowerCase().split(' ');
    const start = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    const shown = (start > 0 ? '… ' : '') + text.slice(start, start + 140) + (start + 140 < text.length ? ' …' : '');
    item.append(link, document.createElement('br'), shown);
    return item;
  }));
  if (field.value.trim() !== '' && list.children.length === 0) list.append('No page has all of these words.');
});
`;
