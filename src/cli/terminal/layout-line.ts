import { widthOf } from './display-width.ts';
import type { Line } from './edit-line.ts';
import type { CursorPlace } from './screen.ts';
import { breakText } from './spans.ts';

export interface LineLayout {
  prompt: string;
  width: number;
  /** If there are more rows, only those around the cursor are shown. */
  maxRows: number;
}

/** Lays out the typed line as rows, with the cursor's position. */
export function layoutLine(
  line: Line,
  { prompt, width, maxRows }: LineLayout,
): { rows: string[]; cursor: CursorPlace } {
  const indent = ' '.repeat(widthOf(prompt));
  const room = width - indent.length;
  const wrap = (text: string) => text.split('\n').flatMap((part) => breakText(part, room));
  const rows = wrap(line.text);
  const head = wrap(line.text.slice(0, line.cursor));
  const last = head.at(-1) ?? '';
  // If the row before the cursor is full, the cursor is at the start of the next row.
  const isFull = widthOf(last) >= room;
  if (isFull && rows.length === head.length) rows.push('');
  const place = { row: isFull ? head.length : head.length - 1, column: isFull ? 0 : widthOf(last) };
  const first = Math.max(0, Math.min(place.row - maxRows + 1, rows.length - maxRows));
  const shown = rows.slice(first, first + maxRows).map((row, index) => (index === 0 ? prompt : indent) + row);
  return { rows: shown, cursor: { row: place.row - first, column: indent.length + place.column } };
}

const SENT_ROWS = 8;

/** The rows of a sent line; a long one is cut, with its total length. */
export function sentRows(text: string, { prompt, width }: Omit<LineLayout, 'maxRows'>): string[] {
  const indent = ' '.repeat(widthOf(prompt));
  const rows = text.split('\n').flatMap((part) => breakText(part, width - indent.length));
  const shown = rows.length > SENT_ROWS + 1 ? rows.slice(0, SENT_ROWS) : rows;
  const left = rows.length > shown.length ? [`${indent}… ${[...text].length} characters in all`] : [];
  return [...shown.map((row, index) => (index === 0 ? prompt : indent) + row), ...left];
}
