import { charactersOf, characterWidth, widthOf, withoutStyles } from './display-width.ts';

export type Style = (text: string) => string;

/** A piece of text with one style. */
export interface Span {
  text: string;
  style?: Style | undefined;
}

/** Wraps text at spaces into rows of at most `width` columns, keeps line breaks, and breaks longer words. */
export function wrapSpans(spans: readonly Span[], width: number): string[] {
  const rows = createRows(Math.max(1, width));
  let word: Span[] = [];
  let gap: Span | undefined;
  const endWord = () => {
    if (word.length > 0) rows.addWord(word, gap);
    if (word.length > 0) gap = undefined;
    word = [];
  };
  for (const piece of spans.flatMap(toPieces)) {
    if (/^\S/.test(piece.text)) {
      word.push(piece);
      continue;
    }
    endWord();
    if (piece.text === '\n') rows.end();
    gap = piece.text === '\n' ? undefined : piece;
  }
  endWord();
  return rows.finish();
}

function toPieces({ text, style }: Span): Span[] {
  return (text.match(/\n|[^\S\n]+|\S+/g) ?? []).map((piece) => ({ text: piece, style }));
}

function createRows(room: number) {
  const rows: string[] = [];
  let row: Span[] = [];
  let used = 0;
  const end = () => {
    rows.push(paint(row));
    row = [];
    used = 0;
  };
  const put = (piece: Span) => {
    row.push(piece);
    used += widthOf(piece.text);
  };
  return {
    end,
    addWord(word: readonly Span[], gap: Span | undefined) {
      const width = word.reduce((sum, piece) => sum + widthOf(piece.text), 0);
      const gapWidth = gap ? widthOf(gap.text) : 0;
      if (used > 0 && used + gapWidth + width > room) end();
      else if (gap && used > 0) put(gap);
      for (const part of word.flatMap((piece) => breakWord(piece, room))) {
        if (used > 0 && used + widthOf(part.text) > room) end();
        put(part);
      }
    },
    finish() {
      if (row.length > 0 || rows.length === 0) end();
      return rows;
    },
  };
}

function breakWord(piece: Span, room: number): Span[] {
  return breakText(piece.text, room).map((text) => ({ text, style: piece.style }));
}

/** Breaks a text only where the width requires it; spaces count like any character. */
export function breakText(text: string, width: number): string[] {
  const room = Math.max(1, width);
  if (widthOf(text) <= room) return [text];
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of charactersOf(text)) {
    const columns = characterWidth(character);
    if (used + columns > room && used > 0) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += character;
    used += columns;
  }
  return [...parts, part];
}

/** Adjacent spans of one style are styled together. */
function paint(row: readonly Span[]): string {
  const joined: Span[] = [];
  for (const { text, style } of row) {
    const last = joined.at(-1);
    if (last && last.style === style) last.text += text;
    else joined.push({ text, style });
  }
  return joined.map(({ text, style }) => (style ? style(text) : text)).join('');
}

/** Wraps long lines at spaces and indents their continuation. Styles take no width. */
export function foldText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= width ? line : foldLine(line, width)))
    .join('\n');
}

function foldLine(line: string, width: number): string {
  const start = /^ */.exec(withoutStyles(line))?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(start + 2, Math.floor(width / 2)));
  const rows: string[] = [];
  let row = '';
  for (const piece of line.match(/ +|[^ ]+/g) ?? []) {
    if (widthOf(row) + widthOf(piece) <= width) row += piece;
    else {
      if (row.trim() !== '') rows.push(row.trimEnd());
      const room = width - indent.length;
      const parts = piece.trim() === '' || widthOf(piece) <= room ? [piece.trimStart()] : breakText(piece, room);
      rows.push(...parts.slice(0, -1).map((part) => indent + part));
      row = indent + (parts.at(-1) ?? '');
    }
  }
  return [...rows, row].join('\n');
}
