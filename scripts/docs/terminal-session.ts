import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';

const ROOT = join(import.meta.dirname, '..', '..');
const COLUMNS = 100;
const QUIET_MS = 400;

/** A conversation in the terminal that the documentation shows. */
export interface Transcript {
  /** The command of the reader. */
  command: string;
  args: readonly string[];
  lines: readonly string[];
}

export const TRANSCRIPTS = {
  first: { command: 'npm start', args: [], lines: ['a', 'add a task to call mom', 'what do I need to do?'] },
  start: {
    command: 'npm start',
    args: [],
    lines: [
      'a',
      'add a task to call the dentist on Friday',
      'add a task to call mom',
      'mark call as done',
      'the second one',
      'what do I need to do?',
    ],
  },
  data: {
    command: 'npx holodeck chat agents/retail/agent.yaml',
    args: ['chat', 'agents/retail/agent.yaml'],
    lines: ['What are the top 3 products by revenue this year?', '/why $145,154'],
  },
} satisfies Record<string, Transcript>;

/** Types the lines into the real program in a pseudo-terminal, and returns the screen as text and as a picture. */
export async function holdSession({ command, args, lines }: Transcript): Promise<{ text: string; svg: string }> {
  const home = mkdtempSync(join(tmpdir(), 'holodeck-home-'));
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: 60, allowProposedApi: true });
  const child = pty.spawn(process.execPath, [join(ROOT, 'bin', 'holodeck.js'), ...args], {
    cols: COLUMNS,
    rows: 60,
    cwd: ROOT,
    env: {
      PATH: String(process.env.PATH),
      HOME: home,
      TERM: 'xterm-256color',
      FORCE_COLOR: '1',
      TZ: 'UTC',
      // npm sets it, and hints use it: "npm start -- serve".
      npm_lifecycle_event: 'start',
    },
  });
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  let bytes = 0;
  child.onData((data) => {
    bytes += data.length;
    terminal.write(data);
  });
  // A line has its answer when it is on the screen, the prompt follows, and nothing more comes.
  const untilPrompt = async (typed: string) => {
    for (let before = -1; ; before = bytes) {
      const screen = screenText(terminal);
      if (before === bytes && screen.includes(typed) && screen.endsWith('\n>')) return;
      await setTimeout(QUIET_MS);
    }
  };
  try {
    await untilPrompt('');
    for (const line of lines) {
      child.write(`${line}\r`);
      await untilPrompt(`\n> ${line}\n`);
    }
    const shown = screenText(terminal).replace(/\n>$/, '');
    return { text: `$ ${command}\n${shown}\n`, svg: svgOf(terminal, COLUMNS) };
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

function screenText(terminal: headless.Terminal): string {
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, index) => active.getLine(index)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}

/** A transcript without the parts that differ from run to run: times, dates and the spaces that align them. */
export function withoutTimes(text: string): string {
  return text
    .replace(/\d+ ms|\d+\.\d+ s\b/g, 'TIME')
    .replace(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2}/g, 'DATE')
    .replace(/ {2,}/g, '  ');
}

const COLORS = ['#1e1e2e', '#f38ba8', '#a6e3a1', '#f9e2af', '#89b4fa', '#f5c2e7', '#94e2d5', '#cdd6f4'];
const LINE_HEIGHT = 18;
const MARGIN = 32;
const CELL_WIDTH = 8.4;

/** The screen of a terminal as an SVG with its colours. */
function svgOf(terminal: headless.Terminal, columns: number): string {
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
