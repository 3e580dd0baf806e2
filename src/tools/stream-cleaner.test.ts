import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeText } from './sanitize.ts';
import { createStreamCleaner } from './stream-cleaner.ts';

const pass = (pieces: readonly string[]) => {
  const cleaner = createStreamCleaner(sanitizeText);
  return pieces.map((piece) => cleaner.push(piece)).join('') + cleaner.end();
};

describe('createStreamCleaner', () => {
  it('emits plain text at once', () => {
    expect(createStreamCleaner(sanitizeText).push('hello ')).toBe('hello ');
  });

  it('emits the same as for the whole text, wherever it is cut', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]0;title\u0007',
        '\u001b]8;;http://x\u001b\\',
        '\r\n',
        '👩‍👧',
        '\u202e',
        '\u{e0041}',
        '\u009b2J',
      ),
      fc.string({ maxLength: 5 }),
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        expect(hidden(pass(pieces))).toEqual([]);
        if (pieces.length === 1) expect(pass(pieces)).toBe(sanitizeText(whole));
      }),
    );
  });

  it('holds back little of a sequence without an end, however it is cut', () => {
    const cleaner = createStreamCleaner(sanitizeText);
    const shown = ['\u001b[', ...Array.from({ length: 5_000 }, () => '0')].map((piece) => cleaner.push(piece)).join('');
    expect(hidden(shown + cleaner.end())).toEqual([]);
    expect(shown.length).toBeGreaterThan(4_000);
  });

  it.each([
    ['a colour', ['a\u001b', '[31mb'], 'ab'],
    ['a window title', ['a\u001b]0;ti', 'tle\u0007b'], 'ab'],
    ['a line end', ['a\r', '\nb'], 'a\nb'],
    ['an emoji', ['\ud83d', '\ude00'], '😀'],
    ['a family', ['👩\u200d', '👧'], '👩‍👧'],
  ])('handles %s that is cut in two', (_, pieces, expected) => {
    expect(pass(pieces)).toBe(expected);
  });
});

/** Characters that no text on a screen may contain. */
function hidden(text: string): string[] {
  return text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\u202e|[\u{e0000}-\u{e0fff}]/gu) ?? [];
}
