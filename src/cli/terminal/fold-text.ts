import { widthOf, withoutStyles } from './display-width.ts';
import { breakText } from './spans.ts';

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
