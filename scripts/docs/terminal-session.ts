import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { svgOf } from './terminal-picture.ts';

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
