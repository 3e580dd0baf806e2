import { charactersOf, widthOf } from './display-width.ts';
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

/** The line being edited; the cursor is before the character at this index. */
export interface Line {
  text: string;
  cursor: number;
}

/** A key as Node reports it. */
export interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean;
  meta?: boolean;
  shift?: boolean;
}

export const EMPTY_LINE: Line = { text: '', cursor: 0 };

export function insertText({ text, cursor }: Line, added: string): Line {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Applies an editing key to the line; undefined for other keys. */
export function editLine(line: Line, key: Key): Line | undefined {
  const change = key.ctrl ? CONTROL[key.name ?? ''] : key.meta ? META[key.name ?? ''] : PLAIN[key.name ?? ''];
  return change?.(line);
}

type Change = (line: Line) => Line;

const moveTo = (line: Line, cursor: number): Line => ({ ...line, cursor });
const cut = ({ text }: Line, from: number, to: number): Line => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});

const before = ({ text, cursor }: Line) => cursor - (charactersOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
const after = ({ text, cursor }: Line) => cursor + (charactersOf(text.slice(cursor))[0]?.length ?? 0);
const wordBefore = ({ text, cursor }: Line) => cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
const wordAfter = ({ text, cursor }: Line) => cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
const lineStart = ({ text, cursor }: Line) => text.lastIndexOf('\n', cursor - 1) + 1;
const lineEnd = ({ text, cursor }: Line) => {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
};

const home: Change = (line) => moveTo(line, line.cursor === 0 ? 0 : lineStart(line));
const end: Change = (line) => moveTo(line, lineEnd(line));
const left: Change = (line) => moveTo(line, before(line));
const right: Change = (line) => moveTo(line, after(line));
const backspace: Change = (line) => cut(line, before(line), line.cursor);
const deleteWord: Change = (line) => cut(line, wordBefore(line), line.cursor);

const PLAIN: Record<string, Change> = {
  left,
  right,
  home,
  end,
  backspace,
  delete: (line) => cut(line, line.cursor, after(line)),
};
const CONTROL: Record<string, Change> = {
  a: home,
  e: end,
  b: left,
  f: right,
  h: backspace,
  w: deleteWord,
  k: (line) => cut(line, line.cursor, lineEnd(line)),
  u: (line) => cut(line, lineStart(line), line.cursor),
  left: (line) => moveTo(line, wordBefore(line)),
  right: (line) => moveTo(line, wordAfter(line)),
};
const META: Record<string, Change> = {
  b: (line) => moveTo(line, wordBefore(line)),
  f: (line) => moveTo(line, wordAfter(line)),
  d: (line) => cut(line, line.cursor, wordAfter(line)),
  left: (line) => moveTo(line, wordBefore(line)),
  right: (line) => moveTo(line, wordAfter(line)),
  backspace: deleteWord,
};

/** Moves one logical line up or down in the same column; undefined at the first or last line. */
export function moveVertically(line: Line, step: -1 | 1): Line | undefined {
  const start = lineStart(line);
  const column = line.cursor - start;
  if (step === -1) {
    if (start === 0) return undefined;
    const above = lineStart({ ...line, cursor: start - 1 });
    return moveTo(line, Math.min(above + column, start - 1));
  }
  const stop = lineEnd(line);
  if (stop === line.text.length) return undefined;
  const below = { ...line, cursor: stop + 1 };
  return moveTo(line, Math.min(stop + 1 + column, lineEnd(below)));
}
