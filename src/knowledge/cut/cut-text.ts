import { type Block, type TextKind, toBlocks } from './blocks.ts';
import { MAX_CHARS, splitBlock } from './split-block.ts';

/** A passage of one document, before it is stored. */
export interface Cut {
  start: number;
  end: number;
  page?: number;
  /** The headings above the passage, outermost first. */
  breadcrumb: string[];
  /** Every heading above or inside the passage, for ranking. */
  headings: string[];
}

export interface CutDocument {
  /** The first heading of the highest level, if there is one. */
  title?: string;
  cuts: Cut[];
}

/** Words of a passage. A table or a piece of code may be longer, up to `whole`. */
interface Words {
  least: number;
  most: number;
  whole: number;
}

/**
 * Cuts a text along its structure: sections first, then whole blocks, then sentences. Short sections are joined with
 * the following ones of the same or a deeper level; records stay apart and name no document.
 */
export function cutText(text: string, kind: TextKind = 'markdown', most = 350): CutDocument {
  const words: Words = { least: Math.round(most * 0.343), most, whole: most * 2 };
  const blocks = toBlocks(text, kind).flatMap((block) => splitLong(block, text, words));
  const title = kind === 'records' ? undefined : (FRONT_TITLE.exec(text)?.[2] ?? findTitle(blocks));
  const sections = toSections(blocks, title);
  const joined = kind === 'records' ? sections : joinShort(sections, words);
  const cuts = joined.flatMap((section) => cutSection(section, text, words));
  return { ...(title !== undefined && { title }), cuts };
}

/** The title among the settings at the beginning of a Markdown file. */
const FRONT_TITLE = /^---\n(?:(?!---\n).*\n){0,50}?title:[ \t]*(["']?)(\S.{0,400}?)\1[ \t]{0,9}\n/;

/** The pieces of a long paragraph are small, so that passages can be filled evenly. */
function splitLong(block: Block, text: string, { least, most, whole }: Words): Block[] {
  if (block.kind !== 'text') return splitBlock(block, text, whole);
  return splitBlock(block, text, block.words > most ? least / 2 : most);
}

interface Section {
  /** Headings above the section with its own; the title of the document is left out. */
  path: string[];
  level: number;
  headings: string[];
  blocks: Block[];
  words: number;
}

function findTitle(blocks: readonly Block[]): string | undefined {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.title !== '');
  const highest = Math.min(...headings.map(({ level = 9 }) => level));
  return headings.find(({ level }) => level === highest)?.title;
}

function toSections(blocks: readonly Block[], title: string | undefined): Section[] {
  const sections: Section[] = [];
  let open: { level: number; title: string }[] = [];
  let isTitleSeen = false;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      open = [...open.filter((above) => above.level < level), { level, title: block.title ?? '' }];
      if (!isTitleSeen && block.title === title) {
        isTitleSeen = true;
        open = [{ level, title: '' }];
      }
    }
    const last = sections.at(-1);
    if (last && block.kind !== 'heading') {
      last.blocks.push(block);
      last.words += block.words;
      continue;
    }
    const path = open.map((above) => above.title).filter((heading) => heading !== '');
    sections.push({ path, level: open.at(-1)?.level ?? 0, headings: path, blocks: [block], words: block.words });
  }
  return sections;
}

/** Joins a section that is too short with the next ones, as long as they are no higher and fit. */
function joinShort(sections: readonly Section[], { least, most }: Words): Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    const fits = last && last.words + section.words <= most && section.level >= last.level;
    if (!last || !fits || (last.words >= least && section.words >= least / 4)) {
      joined.push({ ...section, blocks: [...section.blocks] });
      continue;
    }
    last.path = commonPath(last, section);
    last.headings = [...new Set([...last.headings, ...section.headings])];
    last.blocks.push(...section.blocks);
    last.words += section.words;
  }
  return joined;
}

/** The path of the much longer section, else what both paths have in common. */
function commonPath(first: Section, second: Section): string[] {
  if (second.words > first.words * 2) return second.path;
  if (first.words > second.words * 2) return first.path;
  const parts = first.path.findIndex((heading, at) => heading !== second.path[at]);
  return parts < 0 ? first.path : first.path.slice(0, parts);
}

/** Fills passages evenly: a section of 400 words becomes two of 200, not one of 350 and one of 50. */
function cutSection({ blocks, path, headings, words }: Section, text: string, { most }: Words): Cut[] {
  const even = words / Math.ceil(words / most);
  const groups: { blocks: Block[]; words: number }[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const isShort = block.end - (last?.blocks[0]?.start ?? 0) <= MAX_CHARS;
    if (last && isShort && last.words + block.words <= most && last.words + block.words / 2 <= even) {
      last.blocks.push(block);
      last.words += block.words;
    } else groups.push({ blocks: [block], words: block.words });
  }
  return groups.map((group) => toCut(group.blocks, { path, headings }, text));
}

function toCut(group: readonly Block[], { path, headings }: Pick<Section, 'path' | 'headings'>, text: string): Cut {
  const [first] = group as readonly [Block, ...Block[]]; // groups are made with one block
  const last = group.at(-1) ?? first;
  const columns = columnsOf(first, text);
  return {
    start: first.start,
    end: last.end,
    ...(first.page !== undefined && { page: first.page }),
    breadcrumb: columns === undefined ? path : [...path, columns],
    headings: columns === undefined ? headings : [...headings, columns],
  };
}

/** The column names of a table whose beginning is in an earlier passage. */
function columnsOf({ kind, start, origin = start }: Block, text: string): string | undefined {
  if (kind !== 'table' || start === origin) return undefined;
  const [row = ''] = text.slice(origin, origin + MAX_COLUMNS_CHARS).split('\n', 1);
  const cells = row.split(/[|,;\t]/);
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.join(', ') || undefined;
}

const MAX_COLUMNS_CHARS = 300;
