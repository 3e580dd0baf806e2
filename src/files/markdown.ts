/** Rows as a Markdown table, with the first row as its header. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head, ...body] = rows;
  if (!head || width === 0) return '';
  return [toRow(head, width), `|${' --- |'.repeat(width)}`, ...body.map((row) => toRow(row, width))].join('\n');
}

export function toRow(cells: readonly string[], width: number): string {
  const all = Array.from({ length: Math.max(width, cells.length) }, (_, index) => escapeCell(cells[index] ?? ''));
  return `| ${all.join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, '<br>');
}
