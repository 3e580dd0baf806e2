import type { Token, Tokens } from 'marked';
import type { Colors } from './colors.ts';
import { padTo, widthOf } from './display-width.ts';
import { type Span, type Style, wrapSpans } from './spans.ts';

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The inline text of a block as styled spans; nested styles are combined. */
export function inlineSpans(tokens: readonly Token[] | undefined, colors: Colors, outer?: Style): Span[] {
  const styled = (inner: Style): Style => (outer ? (text) => outer(inner(text)) : inner);
  return (tokens ?? []).flatMap((token): Span[] => {
    switch (token.type) {
      case 'strong':
        return inlineSpans(token.tokens, colors, styled(colors.bold));
      case 'em':
        return inlineSpans(token.tokens, colors, styled(colors.italic));
      case 'del':
        return inlineSpans(token.tokens, colors, styled(colors.strikethrough));
      case 'codespan':
        return [{ text: token.text, style: styled(colors.cyan) }];
      case 'link':
        // the type guarantees it; marked's union has an open member
        return linkSpans(token as Tokens.Link, colors, outer);
      case 'br':
        return [{ text: '\n' }];
      case 'checkbox':
        return [{ text: token.checked ? '☑ ' : '☐ ', style: outer }];
      case 'text':
      case 'escape':
        if ('tokens' in token && token.tokens) return inlineSpans(token.tokens, colors, outer);
        return [{ text: decode(token.text), style: outer }];
      default:
        return [{ text: token.raw, style: outer }];
    }
  });
}

/** The URL is always shown, so that a link text cannot hide its target. */
function linkSpans(link: Tokens.Link, colors: Colors, outer: Style | undefined): Span[] {
  const text = inlineSpans(link.tokens, colors, outer ?? colors.underline);
  const isSame = link.href === link.text || link.href === `mailto:${link.text}`;
  return isSame ? text : [...text, { text: ` (${link.href})`, style: colors.dim }];
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const GAP = '  ';
const NARROWEST = 4;

type Cell = Tokens.TableCell;

export interface TableOptions {
  width: number;
  colors: Colors;
  /** Fixed widths instead of measured ones, because rows that have scrolled out cannot be laid out again. */
  columns?: readonly number[] | undefined;
}

/** A table with columns as wide as their content; wide cells are wrapped. */
export function tableRows(table: Tokens.Table, { width, colors, columns }: TableOptions): string[] {
  const widths = columns ?? columnWidths(table, width, colors);
  if (!widths) return recordRows(table, width, colors);
  const header = rowLines(table.header, { widths, table, colors, isHeader: true });
  const rule = colors.dim(widths.map((columns) => '─'.repeat(columns)).join(GAP));
  return [...header, rule, ...table.rows.flatMap((row) => rowLines(row, { widths, table, colors }))];
}

/** The width of each column; undefined if there are too many for this width. */
export function columnWidths(table: Tokens.Table, width: number, colors: Colors): number[] | undefined {
  const lines = [table.header, ...table.rows];
  const natural = table.header.map((_, column) => Math.max(1, ...lines.map((line) => cellWidth(line[column], colors))));
  const room = width - GAP.length * (natural.length - 1);
  return room < natural.length * NARROWEST ? undefined : shrink(natural, room);
}

interface RowOptions {
  widths: readonly number[];
  table: Tokens.Table;
  colors: Colors;
  isHeader?: boolean;
}

function rowLines(row: readonly Cell[], { widths, table, colors, isHeader }: RowOptions): string[] {
  const cells = widths.map((width, column) => wrapSpans(cellSpans(row[column], colors, isHeader), width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => align(lines[line] ?? '', widths[column] ?? 0, table.align[column]))
      .join(GAP)
      .trimEnd(),
  );
}

function align(text: string, width: number, side: Cell['align'] | undefined): string {
  const free = Math.max(0, width - widthOf(text));
  if (side === 'right') return ' '.repeat(free) + text;
  if (side === 'center') return padTo(' '.repeat(free >> 1) + text, width);
  return padTo(text, width);
}

/** Takes columns from the widest until all fit. */
function shrink(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

/** For too many columns: renders every row as a list of its values. */
function recordRows(table: Tokens.Table, width: number, colors: Colors): string[] {
  return table.rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((cell, column) => {
      const name: Span[] = [...cellSpans(table.header[column], colors, true), { text: ': ' }];
      return wrapSpans([...name, ...cellSpans(cell, colors)], width);
    }),
  ]);
}

function cellSpans(cell: Cell | undefined, colors: Colors, isHeader = false): Span[] {
  return inlineSpans(cell?.tokens, colors, isHeader ? colors.bold : undefined);
}

function cellWidth(cell: Cell | undefined, colors: Colors): number {
  return widthOf(
    cellSpans(cell, colors)
      .map(({ text }) => text)
      .join(''),
  );
}
