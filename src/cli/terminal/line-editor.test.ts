import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitKeypressEvents } from 'node:readline';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/runtime.ts';
import { createEmulator } from '../../../test/terminal/session.ts';
import { createHistory } from './history.ts';
import { createLineEditor } from './line-editor.ts';
import { createScreen } from './screen.ts';

function open(columns = 40) {
  const emulator = createEmulator(columns, 12);
  const screen = createScreen({ columns, rows: 12, write: (text) => emulator.write(text) });
  const keys = new PassThrough();
  let interrupts = 0;
  const editor = createLineEditor({
    screen,
    history: createHistory(undefined),
    complete: (text) => ({ start: 0, candidates: ['/save', '/sessions'].filter((name) => name.startsWith(text)) }),
    onInterrupt: () => {
      interrupts++;
    },
  });
  emitKeypressEvents(keys);
  keys.on('keypress', editor.press);
  const type = (text: string) => keys.write(text);
  /** The line that is read after these keys and Enter. */
  const read = async (text: string) => {
    const line = editor.read();
    type(`${text}\r`);
    return line;
  };
  return { editor, emulator, type, read, interrupts: () => interrupts };
}

const LEFT = '\u001b[D';
const UP = '\u001b[A';
const DOWN = '\u001b[B';

describe('createLineEditor', () => {
  it.each([
    ['typing', 'hello', 'hello'],
    ['moving and inserting', `hllo${LEFT}${LEFT}${LEFT}e`, 'hello'],
    ['deleting before the cursor', 'hellox\u007f', 'hello'],
    ['deleting a word', 'hello you\u0017', 'hello '],
    ['deleting to the start', 'you\u0015hello', 'hello'],
    ['going to start and end', 'ell\u0001h\u0005o', 'hello'],
    ['deleting a whole picture', 'a👩‍👧\u007fb', 'ab'],
    ['a line that goes on', 'one\\\rtwo', 'one\ntwo'],
    ['a pasted text with line ends', '\u001b[200~one\r\ntwo\rthree\u001b[201~', 'one\ntwo\nthree'],
    ['a pasted escape', '\u001b[200~a\u001b[31mb\u0007\u001b[201~', 'ab'],
    ['completing', '/sa\t', '/save'],
  ])('understands %s', async (_, keys, expected) => {
    expect(await open().read(keys)).toBe(expected);
  });

  it('brings back what was sent, and what was being typed', async () => {
    const { read } = open();
    await read('first');
    await read('second');
    expect(await read(`draft${UP}${UP}`)).toBe('first');
    expect(await read(`draft${UP}${DOWN}`)).toBe('draft');
  });

  it('shows the choices where Tab finds several', async () => {
    const { editor, emulator, type } = open();
    void editor.read();
    type('/s\t');
    await expect.poll(() => emulator.lines()).toEqual(['> /s', '  /save  /sessions']);
  });

  it('keeps lines that nobody reads yet, but not for a question', async () => {
    const { editor, type } = open();
    type('ahead\r');
    const answer = editor.ask('sure? ');
    type('no\r');
    expect(await answer).toBe('no');
    expect(await editor.read()).toBe('ahead');
  });

  it('takes away a line with Ctrl+C, and tells when there is none', async () => {
    const { editor, type, interrupts } = open();
    void editor.read();
    type('half\u0003');
    expect(interrupts()).toBe(0);
    type('\u0003');
    expect(interrupts()).toBe(1);
  });

  it('ends with Ctrl+D in an empty line', async () => {
    const { editor, type } = open();
    const line = editor.read();
    type('\u0004');
    expect(await line).toBeUndefined();
    expect(await editor.read()).toBeUndefined();
  });

  it('always shows what is typed, however long and whatever it is', async () => {
    const text = fc.stringMatching(/^[a-z日 ]{1,200}$/);
    await fc.assert(
      fc.asyncProperty(text, async (typed) => {
        const { editor, emulator, type } = open(20);
        void editor.read();
        type(typed);
        await new Promise((resolve) => setImmediate(resolve));
        const shown = (await emulator.lines()).map((line) => line.slice(2)).join('');
        expect(shown.replaceAll(' ', '')).toBe(typed.replaceAll(' ', ''));
      }),
      { numRuns: 50 },
    );
  });
});

describe('createHistory', () => {
  it('is there again in the next run, in a file that only its owner can read', () => {
    const path = join(temporaryFolder(), 'new', 'history');
    const first = createHistory(path);
    first.add('one');
    first.add('two\nlines');
    first.add('two\nlines');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe('"one"\n"two\\nlines"\n');
    const second = createHistory(path);
    expect([second.older(''), second.older(''), second.older('')]).toEqual(['two\nlines', 'one', undefined]);
  });

  it('leaves out lines that it cannot read and keeps a bounded number', () => {
    const path = join(temporaryFolder(), 'history');
    writeFileSync(path, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''));
    appendFileSync(path, 'broken\n{}\n"last"\n');
    expect(createHistory(path).older('')).toBe('last');
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(1001);
  });

  it('works without a file', () => {
    const history = createHistory(join(temporaryFolder(), 'history\0'));
    history.add('one');
    history.rest();
    expect(history.older('')).toBe('one');
  });
});
