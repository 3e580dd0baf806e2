/** A piece of a document's text that is kept whole if it fits: a heading, a paragraph, a list item, a table, code. */
export interface Block {
  kind: 'heading' | 'text' | 'table' | 'code';
  start: number;
  end: number;
  words: number;
  /** Level and text of a heading. */
  level?: number;
  title?: string;
  page?: number;
  /** The beginning of the whole block that this one is a piece of. */
  origin?: number;
}

/** How a text is structured: Markdown, records with a heading each, rows with a header, or lines of code. */
export type TextKind = 'markdown' | 'records' | 'rows' | 'code';

const PAGE = /^\[Page (\d+)\]$/;
/** Longer lines are paragraphs: a heading is shown with every passage below it. */
const HEADING = /^(#{1,6})[ \t]+(\S.{0,400})$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TABLE_ROW = /^ {0,3}\|/;
const UNDERLINE = /^(?:=+|-{3,})\s*$/;

interface Line {
  text: string;
  start: number;
  end: number;
}

/** Splits a text into blocks, in order. Every character outside of the blocks is white space or a page mark. */
export function toBlocks(text: string, kind: TextKind): Block[] {
  const lines = toLines(text);
  const blocks: Block[] = [];
  let page: number | undefined;
  const isMarkdown = kind === 'markdown' || kind === 'records';
  for (let at = kind === 'markdown' ? skipFrontMatter(lines) : 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const mark = PAGE.exec(line.text);
    if (mark) page = Number(mark[1]);
    if (mark || line.text.trim() === '') {
      at++;
      continue;
    }
    const next = isMarkdown ? readBlock(lines, at) : readPlain(lines, at, kind === 'rows');
    const last = lines[next.to - 1] as Line;
    const { start } = line;
    const words = countWords(text.slice(start, last.end));
    blocks.push({ ...next.block, start, end: last.end, words, ...(page !== undefined && { page }) });
    at = next.to;
  }
  return blocks;
}

export function countWords(text: string): number {
  let words = 0;
  for (const _ of text.matchAll(/\S+/g)) words++;
  return words;
}

function toLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at;
    lines.push({ text: text.slice(start, end), start, end });
    start = end + 1;
  }
  return lines;
}

/** The settings between `---` lines at the beginning of many Markdown files are no text. */
function skipFrontMatter(lines: readonly Line[]): number {
  if (lines[0]?.text.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, at) => at > 0 && line.text.trimEnd() === '---');
  const isSettings = lines.slice(1, end).every(({ text }) => /^\s*$|^\s*[\w$-]+\s*:|^\s+\S|^\s*- |^#/.test(text));
  return end > 0 && isSettings ? end + 1 : 0;
}

interface NextBlock {
  block: Pick<Block, 'kind' | 'level' | 'title'>;
  /** The line after the block. */
  to: number;
}

function readBlock(lines: readonly Line[], at: number): NextBlock {
  const { text } = lines[at] as Line;
  const heading = HEADING.exec(text);
  if (heading)
    return { block: toHeading((heading[1] ?? '').length, (heading[2] ?? '').replace(/[ \t]*#*$/, '')), to: at + 1 };
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return { block: { kind: 'code' }, to: endOfFence(lines, at, fence) };
  if (TABLE_ROW.test(text)) return { block: { kind: 'table' }, to: endOf(lines, at, (line) => TABLE_ROW.test(line)) };
  const under = lines[at + 1]?.text ?? '';
  if (UNDERLINE.test(under) && text.length <= 400 && !/^\s*[-*+>|]/.test(text))
    return { block: toHeading(under.startsWith('=') ? 1 : 2, text), to: at + 2 };
  return { block: { kind: 'text' }, to: endOf(lines, at, isParagraphLine) };
}

/** Rows are one table; code consists of the parts between empty lines. */
function readPlain(lines: readonly Line[], at: number, isTable: boolean): NextBlock {
  if (isTable) return { block: { kind: 'table' }, to: lines.length };
  return { block: { kind: 'code' }, to: endOf(lines, at, (line) => line.trim() !== '') };
}

function toHeading(level: number, text: string): NextBlock['block'] {
  return { kind: 'heading', level, title: plainHeading(text) };
}

/** A heading as people read it: without marks of Markdown, links and anchors. */
function plainHeading(text: string): string {
  return text
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*`]+|(?<=\s|^)_|_(?=\s|$)/g, '')
    .trim();
}

function isParagraphLine(line: string): boolean {
  return line.trim() !== '' && !HEADING.test(line) && !FENCE.test(line) && !TABLE_ROW.test(line) && !PAGE.test(line);
}

function endOf(lines: readonly Line[], at: number, belongs: (line: string) => boolean): number {
  let to = at + 1;
  while (to < lines.length && belongs((lines[to] as Line).text)) to++;
  return to;
}

/** A fence that is never closed ends with the text. */
function endOfFence(lines: readonly Line[], at: number, fence: string): number {
  const isEnd = ({ text }: Line) => text.trim().startsWith(fence) && /^[`~]+$/.test(text.trim());
  let to = at + 1;
  while (to < lines.length && !isEnd(lines[to] as Line)) to++;
  return Math.min(to + 1, lines.length);
}
