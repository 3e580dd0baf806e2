import type { Token, Tokens } from 'marked';
import type { Colors } from './colors.ts';
import { blockRows, endsWithEmptyLine, parseBlocks } from './markdown.ts';
import { columnWidths } from './markdown-parts.ts';

/** Markdown that arrives in pieces. A block followed by another one is complete and never parsed again. */
export interface MarkdownStream {
  /** Takes text that is safe to show. */
  push(text: string): void;
  rows(width: number): string[];
  /** Called when rows have scrolled out: later text may no longer change the layout of earlier rows. */
  fix(width: number): void;
  /** Starts again after the text so far, inside the same code block or table. */
  restart(): void;
  /** Everything since the beginning or the last restart. */
  readonly source: string;
}

const LONG_LIST = 3000;

interface Block {
  token: Token;
  /** Start of the block in the open text. */
  start: number;
  /** Whether an empty row precedes the block. */
  hasGap: boolean;
  /** Column widths of a table that are kept at this width. */
  fixed?: Fixed | undefined;
  rows?: { width: number; rows: string[] };
}

interface Fixed {
  width: number;
  columns: number[] | undefined;
}

export function createMarkdownStream(colors: Colors): MarkdownStream {
  let finished: Block[] = [];
  let source = '';
  /** The last block, which may still change, and whether an empty row precedes it. */
  let open = '';
  let hasGap = false;
  let fixed: Fixed | undefined;
  let shown: Token | undefined;

  const rowsOf = (block: Block, width: number): string[] => {
    const columns = block.fixed?.width === width ? block.fixed.columns : undefined;
    if (block.rows?.width !== width) block.rows = { width, rows: blockRows(block.token, { width, colors, columns }) };
    return [...(block.hasGap ? [''] : []), ...block.rows.rows];
  };
  /** Moves finished blocks out of the open text and returns the last one. */
  const settle = (): Block | undefined => {
    const blocks = findBlocks(open, hasGap).flatMap(splitList);
    const last = blocks.at(-1);
    if (blocks[0]) blocks[0].fixed = fixed;
    if (blocks.length > 1 && last) {
      fixed = undefined;
      finished.push(...blocks.slice(0, -1));
      open = open.slice(last.start);
      hasGap = last.hasGap;
    }
    return last;
  };

  return {
    push(text) {
      const safe = text.replaceAll('\t', '    ');
      open += safe;
      source += safe;
    },
    rows(width) {
      const last = settle();
      shown = last?.token;
      return [...finished, ...(last ? [last] : [])].flatMap((block) => rowsOf(block, width));
    },
    fix(width) {
      if (fixed?.width === width || shown?.type !== 'table') return;
      fixed = { width, columns: columnWidths(shown as Tokens.Table, width, colors) }; // marked's union has an open member
    },
    restart() {
      fixed = undefined;
      const token = settle()?.token;
      open = token ? carriedOver(token, open) : '';
      source = open;
      finished = [];
      hasGap = false;
    },
    get source() {
      return source;
    },
  };
}

/** A long list is finished item by item, so that it is not parsed again as a whole for each piece. */
function splitList(block: Block): Block[] {
  const { token, start, hasGap } = block;
  if (token.type !== 'list' || token.raw.length < LONG_LIST || token.items.length < 2) return [block];
  const list = token as Tokens.List; // the type guarantees it; marked's union has an open member
  const items = list.items.slice(0, -1);
  const last = list.items.slice(-1);
  const raw = items.map((item) => item.raw).join('');
  const first = list.ordered ? (Number(list.start) || 1) + items.length : list.start;
  return [
    { token: { ...list, items, raw }, start, hasGap },
    {
      token: { ...list, items: last, raw: list.raw.slice(raw.length), start: first },
      start: start + raw.length,
      hasGap: endsWithEmptyLine(raw),
    },
  ];
}

function findBlocks(text: string, firstHasGap: boolean): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let before = '';
  for (const token of parseBlocks(text)) {
    if (token.type === 'space') before += token.raw;
    else {
      blocks.push({ token, start, hasGap: blocks.length === 0 ? firstHasGap : endsWithEmptyLine(before) });
      before = token.raw;
    }
    start += token.raw.length;
  }
  return blocks;
}

/** The opening of a code block or table that its rest needs; a table row in progress is shown again. */
function carriedOver(token: Token, open: string): string {
  if (token.type === 'code') return /^ *(`{3,}|~{3,}).*\n/.exec(open)?.[0] ?? '';
  if (token.type !== 'table') return '';
  const [header, rule] = open.split('\n', 2);
  return `${header}\n${rule}\n${open.slice(open.lastIndexOf('\n') + 1)}`;
}
