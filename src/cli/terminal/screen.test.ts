import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../test/terminal/session.ts';
import { createScreen, type Reflow } from './screen.ts';
import { breakText } from './spans.ts';

function open(columns = 40, rows = 10, reflow: Reflow = 'xterm.js') {
  const emulator = createEmulator(columns, rows, reflow === 'all');
  const written: string[] = [];
  const output = {
    columns,
    rows,
    write: (text: string) => {
      written.push(text);
      emulator.write(text);
    },
  };
  return { screen: createScreen(output, reflow), emulator, output, written };
}

type Step =
  | { drawn: readonly string[] }
  | { window: { columns: number; rows: number } }
  | 'hear'
  | 'grow'
  | 'commit'
  | 'print';

/**
 * A screen in a window whose size changes at one step and is reported at another; `kept` are the lines that must stay.
 */
function openPlay() {
  const { screen, emulator, output } = open(40, 30);
  const kept: string[] = [];
  let window = { columns: 40, rows: 30 };
  let drawn: readonly string[] = [];
  const draw = () => screen.draw(drawn.flatMap((text) => breakText(text, screen.width)));
  const step = async (next: Step) => {
    if (next === 'hear') {
      Object.assign(output, window);
      screen.resized();
      draw();
    } else if (next === 'grow') {
      drawn = [...drawn.slice(0, 3), 'one more'];
      draw();
    } else if (next === 'commit') {
      screen.commit();
      kept.push(...drawn.flatMap((text) => breakText(text, screen.width)));
      drawn = [];
    } else if (next === 'print') {
      screen.print('a line of thirty-four columns, kept');
      kept.push('a line of thirty-four columns, kept');
    } else if ('drawn' in next) {
      drawn = next.drawn;
      draw();
    } else {
      window = next.window;
      await emulator.lines();
      emulator.resize(window.columns, window.rows);
    }
  };
  return { emulator, kept, step };
}

describe('createScreen', () => {
  it('writes only what was added while a row grows', () => {
    const { screen, written } = open(40, 10, 'all');
    screen.draw(['Hello']);
    screen.draw(['Hello wor']);
    screen.draw(['Hello world', 'and more']);
    expect(written.slice(1).join('')).not.toMatch(/Hello|\[J|\[K/);
    expect(written.slice(1).join('')).toMatch(/ wor.*ld\nand more/s);
  });

  it.each(['all', 'xterm.js'] as const)(
    'shows the last drawn rows below what stays, whatever was drawn before (%s)',
    async (reflow) => {
      const row = fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => text.trimEnd());
      const frame = fc.array(row, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), frame, async (frames, last) => {
          const { screen, emulator } = open(40, 10, reflow);
          screen.print('above');
          for (const rows of frames) screen.draw(rows);
          screen.draw(last);
          screen.commit();
          screen.print('below');
          expect(await emulator.lines()).toEqual(['above', ...last, 'below']);
        }),
      );
    },
  );

  it('keeps every row of a text that is longer than the window', async () => {
    const { screen, emulator } = open(40, 5);
    const rows: string[] = [];
    for (let number = 0; number < 30; number++) {
      rows.push(`row ${number}`);
      screen.draw(rows);
    }
    screen.commit();
    expect(await emulator.lines()).toEqual(rows);
  });

  it('prints lines above what is shown and leaves the cursor where it was', async () => {
    const { screen, emulator } = open();
    screen.draw(['> hello'], { row: 0, column: 4 });
    screen.print('a notice');
    screen.draw(['> he-llo'], { row: 0, column: 5 });
    expect(await emulator.lines()).toEqual(['a notice', '> he-llo']);
  });

  it('shows the same rows below what stays after any window sizes', async () => {
    const row = fc.stringMatching(/^[a-z]{1,30}$/);
    const sizes = fc.array(fc.integer({ min: 8, max: 60 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), sizes, async (texts, widths) => {
        const { screen, emulator, output } = open(40, 30);
        const draw = () => screen.draw(texts.flatMap((text) => breakText(text, screen.width)));
        screen.print('above');
        draw();
        for (const width of widths) {
          output.columns = width;
          await emulator.lines();
          emulator.resize(width, 30);
          expect(screen.resized()).toBe(false);
          draw();
        }
        screen.commit();
        screen.print('below');
        const rows = texts.flatMap((text) => breakText(text, screen.width));
        expect(await emulator.lines()).toEqual(['above', ...rows, 'below']);
      }),
    );
  });

  it('keeps every line once and whole when the window changes before this program hears of it', async () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{0,36}$/), { minLength: 1, maxLength: 4 });
    const size = fc.record({ columns: fc.integer({ min: 12, max: 60 }), rows: fc.integer({ min: 24, max: 40 }) });
    const step = fc.oneof(
      texts.map((drawn) => ({ drawn })),
      size.map((window) => ({ window })),
      fc.constantFrom('hear', 'grow', 'commit', 'print'),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 40 }), fc.array(step, { maxLength: 12 }), texts, async (above, steps, last) => {
        const play = openPlay();
        for (let line = 0; line < above; line++) await play.step('print');
        for (const next of steps) await play.step(next);
        await play.step({ drawn: last });
        await play.step('hear');
        await play.step('commit');
        await play.step('print');
        expect((await play.emulator.text()).trimEnd().split('\n')).toEqual(play.kept);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['all', 'none', 'xterm.js'] as const)(
    'takes away rows that were too wide when they came (breaks rows like %s)',
    async (reflow) => {
      const { screen, emulator, output } = open(40, 10, reflow);
      screen.print('above');
      await emulator.lines();
      emulator.resize(20, 10);
      for (const second of [1, 2])
        screen.draw([`a first row of thirty columns ${second}`, 'and a second one of the same']);
      output.columns = 20;
      expect(screen.resized()).toBe(false);
      screen.draw(['a first row', 'and a second one']);
      screen.commit();
      expect(await emulator.lines()).toEqual(['above', 'a first row', 'and a second one']);
    },
  );

  it('adds to rows of which a lower window has swallowed the last, and takes no other away', async () => {
    const { screen, emulator, output } = open(40, 10, 'all');
    const above = Array.from({ length: 6 }, (_, index) => `above ${index}`);
    screen.print(above.join('\n'));
    screen.draw(['one', 'two', 'three']);
    await emulator.lines();
    emulator.resize(40, 8);
    screen.draw(['one', 'two', 'three, four']);
    output.rows = 8;
    expect(screen.resized()).toBe(false);
    screen.draw(['one', 'two', 'three, four']);
    screen.commit();
    expect(await emulator.lines()).toEqual([...above, 'one', 'two', 'three, four']);
  });

  it.each(['all', 'xterm.js'] as const)(
    'finds what is typed again in a narrower window (breaks rows like %s)',
    async (reflow) => {
      const { screen, emulator, output } = open(40, 10, reflow);
      screen.print('above');
      screen.draw(['> a first row of thirty columns', '  and a second one of the same'], { row: 1, column: 30 });
      for (const width of [20, 12, 40]) {
        output.columns = width;
        await emulator.lines();
        emulator.resize(width, 10);
        expect(screen.resized()).toBe(false);
        const rows = breakText('> a first row of thirty columns and a second one of the same', screen.width);
        screen.draw(rows, { row: rows.length - 1, column: rows.at(-1)?.length ?? 0 });
      }
      screen.commit();
      expect((await emulator.lines()).join('')).toBe(
        'above> a first row of thirty columns and a second one of the same',
      );
    },
  );

  it('writes what a lower window has swallowed again, and loses and doubles no row', async () => {
    const { screen, emulator, output } = open(40, 12);
    const rows = Array.from({ length: 30 }, (_, index) => `row ${index}`);
    screen.draw(rows.slice(0, 20));
    output.rows = 6;
    await emulator.lines();
    emulator.resize(40, 6);
    expect(screen.resized()).toBe(false);
    screen.draw(rows);
    screen.commit();
    expect(await emulator.lines()).toEqual(rows);
  });

  it('leaves rows that no longer fit and have partly scrolled out as they are, and goes on below', async () => {
    const { screen, emulator, output } = open(40, 6);
    const rows = Array.from({ length: 9 }, (_, index) => `row ${index} of thirty columns in all`);
    screen.draw(rows);
    output.columns = 20;
    await emulator.lines();
    emulator.resize(20, 6);
    expect(screen.resized()).toBe(true);
    screen.draw(['rest']);
    screen.commit();
    expect((await emulator.lines()).at(-1)).toBe('rest');
  });

  it('empties the window and keeps what has scrolled out of it', async () => {
    const { screen, emulator } = open(40, 5);
    for (let number = 0; number < 9; number++) screen.print(`row ${number}`);
    screen.clear();
    expect((await emulator.lines()).slice(0, 2)).toEqual(['row 0', 'row 1']);
  });
});
