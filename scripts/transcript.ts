/**
 * Talks to the real program in a pseudo-terminal and writes what a person sees: docs/transcript.txt and docs/terminal.svg.
 * Run: node scripts/transcript.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';

const ROOT = join(import.meta.dirname, '..');
const COLUMNS = 100;
const ROWS = 34;
const HOME = mkdtempSync(join(tmpdir(), 'holodeck-home-'));
const SAID = [
  'a',
  'add a task to call the dentist on Friday',
  'add a task to call mom',
  'mark call as done',
  'the second one',
  'what do I need to do?',
];
const COLORS = ['#1e1e2e', '#f38ba8', '#a6e3a1', '#f9e2af', '#89b4fa', '#f5c2e7', '#94e2d5', '#cdd6f4'];

const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
const child = pty.spawn(process.execPath, [join(ROOT, 'bin', 'holodeck.js')], {
  cols: COLUMNS,
  rows: ROWS,
  cwd: ROOT,
  env: { PATH: String(process.env.PATH), HOME, TERM: 'xterm-256color', FORCE_COLOR: '1' },
});
let bytes = 0;
child.onData((data) => {
  bytes += data.length;
  terminal.write(data);
});

for (const line of ['', ...SAID]) {
  if (line !== '') child.write(`${line}\r`);
  await calm();
}
writeFileSync(join(ROOT, 'docs', 'transcript.txt'), `$ npm start\n${textOf()}\n`);
writeFileSync(join(ROOT, 'docs', 'terminal.svg'), svgOf());
child.write('\u0004');
await new Promise<void>((resolve) => child.onExit(() => resolve()));
rmSync(HOME, { recursive: true, force: true });

/** Nothing more is written, and the prompt stands at the end. */
async function calm(): Promise<void> {
  for (let before = -1; before !== bytes || bytes === 0 || !textOf().endsWith('>'); ) {
    before = bytes;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

function linesOf(): number[] {
  const { active } = terminal.buffer;
  const all = Array.from({ length: active.length }, (_, index) => index);
  return all.slice(0, all.findLastIndex((index) => active.getLine(index)?.translateToString(true) !== '') + 1);
}

function textOf(): string {
  const { active } = terminal.buffer;
  return linesOf()
    .map((index) => active.getLine(index)?.translateToString(true) ?? '')
    .join('\n')
    .trimEnd();
}

function svgOf(): string {
  const lines = linesOf();
  const height = lines.length * 18 + 32;
  const rows = lines.map(
    (index, row) => `<text x="16" y="${row * 18 + 32}" xml:space="preserve">${spansOf(index)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * 8.4 + 32} ${height}" role="img" aria-label="A chat in the terminal">
<rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#cdd6f4">
${rows.join('\n')}
</g>
</svg>
`;
}

/** Neighbouring cells of one look as one piece. */
function spansOf(index: number): string {
  const line = terminal.buffer.active.getLine(index);
  let spans = '';
  let look = '';
  let text = '';
  const end = () => {
    if (text !== '') spans += look === '' ? escapeXml(text) : `<tspan ${look}>${escapeXml(text)}</tspan>`;
    text = '';
  };
  for (let column = 0; column < (line?.translateToString(true).length ?? 0); column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const color = cell.isFgPalette() ? `fill="${COLORS[cell.getFgColor() % 8]}"` : '';
    const next = [color, cell.isBold() ? 'font-weight="bold"' : '', cell.isDim() ? 'opacity="0.6"' : '']
      .filter(Boolean)
      .join(' ');
    if (next !== look) end();
    look = next;
    text += cell.getChars() || ' ';
  }
  end();
  return spans;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
