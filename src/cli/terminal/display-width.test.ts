import { Terminal } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { charactersOf, characterWidth, cutToWidth, padTo, widthOf } from './display-width.ts';

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
