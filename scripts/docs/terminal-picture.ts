import type headless from '@xterm/headless';

const COLORS = ['#1e1e2e', '#f38ba8', '#a6e3a1', '#f9e2af', '#89b4fa', '#f5c2e7', '#94e2d5', '#cdd6f4'];
const LINE_HEIGHT = 18;
const MARGIN = 32;
const CELL_WIDTH = 8.4;

/** The screen of a terminal as an SVG with its colours. */
export function svgOf(terminal: headless.Terminal, columns: number): string {
  const { active } = terminal.buffer;
  const all = Array.from({ length: active.length }, (_, index) => index);
  const lines = all.slice(0, all.findLastIndex((index) => active.getLine(index)?.translateToString(true) !== '') + 1);
  const height = lines.length * LINE_HEIGHT + MARGIN;
  const rows = lines.map((index, row) => {
    const y = row * LINE_HEIGHT + MARGIN;
    return `<text x="16" y="${y}" xml:space="preserve">${spansOf(terminal, index)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * CELL_WIDTH + MARGIN} ${height}" role="img" aria-label="A chat in the terminal">
<rect width="100%" height="100%" rx="8" fill="${COLORS[0]}"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="${COLORS[7]}">
${rows.join('\n')}
</g>
</svg>
`;
}

/** Neighbouring cells of one style become one span. */
function spansOf(terminal: headless.Terminal, index: number): string {
  const line = terminal.buffer.active.getLine(index);
  let spans = '';
  let style = '';
  let text = '';
  const end = () => {
    if (text !== '') spans += style === '' ? escapeXml(text) : `<tspan ${style}>${escapeXml(text)}</tspan>`;
    text = '';
  };
  for (let column = 0; column < (line?.translateToString(true).length ?? 0); column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const color = cell.isFgPalette() ? `fill="${COLORS[cell.getFgColor() % 8]}"` : '';
    const next = [color, cell.isBold() ? 'font-weight="bold"' : '', cell.isDim() ? 'opacity="0.6"' : '']
      .filter(Boolean)
      .join(' ');
    if (next !== style) end();
    style = next;
    text += cell.getChars() || ' ';
  }
  end();
  return spans;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
