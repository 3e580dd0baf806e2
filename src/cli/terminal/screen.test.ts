import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../test/terminal/emulator.ts';
import { createScreen } from './screen.ts';

function open(columns = 40, rows = 10) {
  const emulator = createEmulator(columns, rows);
  const written: string[] = [];
  const output = {
    columns,
    rows,
    write: (text: string) => {
      written.push(text);
      emulator.write(text);
    },
  };
  return { screen: createScreen(output), emulator, output, written };
}

describe('createScreen', () => {
  it('writes only what was added while a row grows', () => {
    const { screen, written } = open();
    screen.draw(['Hello']);
    screen.draw(['Hello wor']);
    screen.draw(['Hello world', 'and more']);
    expect(written.slice(1)).toEqual([' wor', 'ld\nand more']);
  });

  it('shows the last drawn rows below what stays, whatever was drawn before', async () => {
    const row = fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => text.trimEnd());
    const frame = fc.array(row, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), frame, async (frames, last) => {
        const { screen, emulator } = open();
        screen.print('above');
        for (const rows of frames) screen.draw(rows);
        screen.draw(last);
        screen.commit();
        screen.print('below');
        expect(await emulator.lines()).toEqual(['above', ...last, 'below']);
      }),
    );
  });

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

  it('goes on in place when the window changes and every row still fits', async () => {
    const { screen, emulator, output } = open();
    screen.draw(['short']);
    output.columns = 20;
    emulator.resize(20, 10);
    expect(screen.resized()).toBe(false);
    screen.draw(['shorter']);
    expect(await emulator.lines()).toEqual(['shorter']);
  });

  it('leaves rows that no longer fit as they are and goes on below', async () => {
    const { screen, emulator, output } = open();
    screen.print('above');
    screen.draw(['a row of thirty columns in all']);
    output.columns = 20;
    emulator.resize(20, 10);
    expect(screen.resized()).toBe(true);
    screen.draw(['rest']);
    const text = await emulator.text();
    expect(text.replaceAll('\n', '')).toBe('abovea row of thirty columns in allrest');
  });
});
