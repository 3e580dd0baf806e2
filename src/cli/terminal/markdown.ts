import { lexer, type Token, type Tokens } from 'marked';
import type { Colors } from './colors.ts';
import { widthOf } from './display-width.ts';
import { inlineSpans, tableRows } from './markdown-parts.ts';
import { breakText, wrapSpans } from './spans.ts';

const MAX_DEPTH = 8;
const BULLETS = ['•', '◦', '▪'];

export interface MarkdownOptions {
  width: number;
  colors: Colors;
  /** Fixed column widths, for a table that keeps them. */
  columns?: readonly number[] | undefined;
}

/** The blocks of a Markdown text. Never throws: text that cannot be parsed becomes one plain block. */
export function parseBlocks(source: string): Token[] {
  try {
    return lexer(source, { gfm: true });
  } catch {
    return [{ type: 'html', raw: source, text: source, block: true, pre: false } satisfies Tokens.HTML];
  }
}

/** Renders a block as terminal rows, none wider than `width`. */
export function blockRows(token: Token, options: MarkdownOptions, depth = 0): string[] {
  const { width, colors } = options;
  if (depth > MAX_DEPTH) return plainRows(token.raw, width);
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return wrapSpans(inlineSpans(token.tokens, colors, headingStyle(token.depth, colors)), width);
    case 'checkbox':
      return wrapSpans(inlineSpans([token], colors), width);
    case 'paragraph':
    case 'text':
      return wrapSpans(inlineSpans(token.tokens ?? [token], colors), width);
    case 'code':
      return codeRows(token.text, width - 2).map((row) => (row === '' ? '' : `  ${colors.cyan(row)}`));
    case 'table':
      return tableRows(token as Tokens.Table, options); // marked's union has an open member
    case 'list':
      return listRows(token as Tokens.List, options, depth); // as above
    case 'blockquote':
      return joinBlocks(token.tokens ?? [], { ...options, width: width - 2 }, depth + 1).map(
        (row) => `${colors.dim('│')} ${row}`,
      );
    case 'hr':
      return [colors.dim('─'.repeat(Math.max(1, Math.min(width, 40))))];
    default:
      return plainRows(token.raw, width);
  }
}

/** Renders blocks below each other, with an empty row where the source has one. */
export function joinBlocks(tokens: readonly Token[], options: MarkdownOptions, depth = 0): string[] {
  const rows: string[] = [];
  let before = '';
  for (const token of tokens) {
    const block = blockRows(token, options, depth);
    if (block.length > 0 && rows.length > 0 && endsWithEmptyLine(before)) rows.push('');
    rows.push(...block);
    before = block.length > 0 ? token.raw : before + token.raw;
  }
  return rows;
}

export function endsWithEmptyLine(raw: string): boolean {
  return /\n[ \t]*\n[ \t\n]*$/.test(raw);
}

function headingStyle(depth: number, colors: Colors): (text: string) => string {
  return depth <= 2 ? (text) => colors.bold(colors.underline(text)) : colors.bold;
}

function listRows(list: Tokens.List, options: MarkdownOptions, depth: number): string[] {
  const first = Number(list.start) || 1;
  return list.items.flatMap((item, index) => {
    const mark = list.ordered ? `${first + index}.` : (BULLETS[depth % BULLETS.length] ?? '•');
    const indent = widthOf(mark) + 1;
    const [head, ...rest] = itemRows(item, { ...options, width: Math.max(1, options.width - indent) }, depth + 1);
    // Follows the source, because a later empty line must not move rows that have scrolled out.
    const gap = index > 0 && endsWithEmptyLine(list.items[index - 1]?.raw ?? '') ? [''] : [];
    return [...gap, `${mark} ${head ?? ''}`, ...rest.map((row) => (row === '' ? '' : ' '.repeat(indent) + row))];
  });
}

/** A checkbox is in the same row as its text. */
function itemRows(item: Tokens.ListItem, options: MarkdownOptions, depth: number): string[] {
  const [first, second, ...rest] = item.tokens;
  if (first?.type !== 'checkbox' || !second) return joinBlocks(item.tokens, options, depth);
  const text = { ...second, tokens: [first, ...('tokens' in second ? (second.tokens ?? []) : [])] };
  return joinBlocks([text, ...rest], options, depth);
}

function plainRows(text: string, width: number): string[] {
  return wrapSpans([{ text: text.trimEnd() }], width);
}

function codeRows(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => breakText(line, width));
}
