import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine } from '../render/renderer.ts';
import { keepStyles } from './colors.ts';
import { charactersOf, characterWidth, cutToWidth, padTo, widthOf } from './display-width.ts';
import { foldText } from './spans.ts';

/** The column after a text in a real terminal. */
function columnsInTerminal(text: string): Promise<number> {
  const terminal = new Terminal({ cols: 200, allowProposedApi: true });
  return new Promise((resolve) => terminal.write(text, () => resolve(terminal.buffer.active.cursorX)));
}

describe('the width of characters', () => {
  it.each([
    ['Hangul syllables', '한글', 4],
    ['a Hangul letter alone', 'ᄀ', 2],
    ['kanji and kana', '日本ごカナ', 10],
    ['the ends of the ideographs', '㐀䶿一鿿', 8],
    ['full-width forms', '！｠￠￦', 8],
    ['punctuation of CJK', '、。〾', 6],
    ['rare ideographs', '\u{20000}\u{3fffd}', 4],
    ['half-width kana', 'ｱｲ', 2],
    ['Latin, Greek and Cyrillic letters', 'äλж', 3],
    ['combining marks', 'e\u0301', 1],
    ['invisible characters', 'a\u200b\u200db', 2],
    ['styles', '\u001b[1m日\u001b[0m', 2],
  ])('%s', (_, text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it.each([
    ['an emoji', '😀', 2],
    ['an emoji of several parts', '👩‍👩‍👧', 2],
    ['an emoji with a skin tone', '👍🏽', 2],
    ['a flag', '🇩🇪', 2],
    ['a sign that is shown as a picture', '❤️', 2],
    ['the same sign as text', '❤', 1],
  ])('%s is one character', (_, text, columns) => {
    expect(charactersOf(text)).toEqual([text]);
    expect(characterWidth(text)).toBe(columns);
  });

  it.each(['한글', '日本ごカナ', '㐀䶿一鿿', '！｠￠￦', '、。', 'ｱｲ', 'äλж', 'e\u0301'])(
    'is the same in a terminal: %s',
    async (text) => {
      expect(widthOf(text)).toBe(await columnsInTerminal(text));
    },
  );
});

describe('texts of wide characters', () => {
  it('are cut before a character that does not fit as a whole', () => {
    expect(cutToWidth('日本語', 6)).toBe('日本語');
    expect(cutToWidth('日本語', 5)).toBe('日本…');
    expect(cutToWidth('日本語', 4)).toBe('日…');
    expect(cutToWidth('日本語', 1)).toBe('…');
    expect(cutToWidth('日本語', 0)).toBe('');
  });

  it('are padded by columns', () => {
    expect(padTo('日', 4)).toBe('日  ');
    expect(padTo('日本語', 4)).toBe('日本語');
  });
});

describe('foldText', () => {
  it('breaks at spaces and goes on a little further to the right', () => {
    expect(foldText('  /tools  tools and the state of their servers\nshort', 24)).toBe(
      '  /tools  tools and the\n    state of their\n    servers\nshort',
    );
  });

  it('leaves styles where they are, and counts them for nothing', () => {
    expect(foldText('\u001b[1mone two\u001b[22m', 7)).toBe('\u001b[1mone two\u001b[22m');
  });

  it('never makes a row too wide, and never loses a letter', () => {
    const line = fc.array(fc.constantFrom('word', '日本語', 'a', ' ', '  ', 'x'.repeat(40), '👩‍👧'), { maxLength: 20 });
    fc.assert(
      fc.property(line, fc.integer({ min: 8, max: 60 }), (parts, width) => {
        const folded = foldText(parts.join(''), width);
        expect(folded.split('\n').filter((row) => widthOf(row.trimEnd()) > width)).toEqual([]);
        expect(folded.replace(/\s/g, '')).toBe(parts.join('').replace(/\s/g, ''));
      }),
    );
  });
});

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]0;title\u0007',
        '\u009b31m',
        '\u202e',
        '\u{e0041}',
        '\u200b',
        '\u001b',
        '\r',
        '\u007f',
      ),
      fc.constantFrom('\u001b[1m', '\u001b[', '31', 'm', '\u001b[22m', '\u001bP', '\u001b\\'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''));

/** Characters that a terminal interprets or people cannot see. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e0fff}]/u;

describe('keepStyles', () => {
  it('never lets anything through but colours', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(keepStyles(text).replace(/\u001b\[[\d;]*m/g, '')).not.toMatch(UNSAFE);
      }),
    );
  });
});

describe('jsonLine', () => {
  it('never lets anything through that is not plain to see, and stays the same data', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const value = { text, [text]: [text] };
        const line = jsonLine(value);
        expect(line.slice(0, -1)).not.toMatch(UNSAFE);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
