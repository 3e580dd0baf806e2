import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, displayJson, sanitizeJson, sanitizeText } from './sanitize.ts';
import { createStreamCleaner } from './stream-cleaner.ts';

describe('sanitizeText', () => {
  it.each([
    ['colours and cursor moves', '\u001b[31;1mred\u001b[0m \u001b[2J\u001b[10;20Hhome', 'red home'],
    ['8-bit sequences', '\u009b31mred\u009b0m', 'red'],
    ['a title, ended by BEL or ST', '\u001b]0;title\u0007a\u001b]0;title\u001b\\b\u001b]0;title\u009cc', 'abc'],
    ['a link, whose text stays', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'click'],
    ['device strings', '\u001bPq#0;2\u001b\\a\u001b_apc\u001b\\b\u001b^pm\u001b\\c\u001bXsos\u001b\\d', 'abcd'],
    ['a string to the terminal that does not end, to the end of its line', 'a\u001b]52;c;aGk=\nb', 'a\nb'],
    ['a sequence that does not end', 'a\u001b[31', 'a'],
    ['short sequences and lone escapes', 'a\u001bcb\u001b(Bc\u001b', 'abc'],
    ['control characters but newline and tab', 'a\u0000\b\u0007\u007fb\tc\nd\u0085', 'ab\tc\nd\n'],
    ['carriage returns, as newlines', 'shown\rhidden\r\nnext', 'shown\nhidden\nnext'],
    ['separators of lines', 'a\u2028b\u2029c', 'a\nb\nc'],
    ['direction controls', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['tags', 'a\u{e0041}\u{e0042}\u{e007f}b', 'ab'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd\u00ade\u3164f', 'abcdef'],
    ['joiners between Latin letters', 'ig\u200cno\u200dre', 'ignore'],
    ['rows of variation selectors', 'a\ufe0f\ufe01\ufe02b\u{e0101}c', 'a\ufe0fbc'],
    ['half characters', 'a\ud83db\ude00c', 'a\ufffdb\ufffdc'],
  ])('takes out %s', (_, text, expected) => {
    expect(sanitizeText(text)).toBe(expected);
  });

  it.each(['plain', 'é ü ß 日本語 עברית', '👩‍👩‍👧 🏳️‍🌈 👍🏽 ❤️', 'می‌خواهم', 'क्‍ष', 'a\tb\nc', '€ 1,000.00 — “x”'])(
    'leaves %s',
    (text) => expect(sanitizeText(text)).toBe(text),
  );

  it('never lets a control or hidden character through, and is idempotent', () => {
    const odd = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '0',
      'm',
      '\u0007',
      '\u009b',
      '\u200d',
      '\ufe00',
      '\ufe0f',
      '👩',
      '\u{e0041}',
      'ा',
    );
    const texts = fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const clean = sanitizeText(text);
        expect(clean).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]/u,
        );
        expect(clean.isWellFormed()).toBe(true);
        expect(sanitizeText(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('sanitizeJson', () => {
  it('cleans texts and keys at every depth', () => {
    const value = { 'a\u001b[0m': ['\u202ex', { b: '\u0007y' }], n: 1, t: true, z: null };
    expect(sanitizeJson(value)).toEqual({ a: ['x', { b: 'y' }], n: 1, t: true, z: null });
  });

  it('makes JSON of any value', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const value = { circle, big: 10n, nan: Number.NaN, date: new Date(0), no: undefined, run: () => 1 };
    expect(sanitizeJson(value)).toEqual({
      circle: { self: '[refers to itself]' },
      big: '10',
      nan: null,
      date: '1970-01-01T00:00:00.000Z',
      run: null,
    });
  });

  it('drops keys named __proto__ and stops at a depth', () => {
    expect(sanitizeJson(JSON.parse('{"__proto__":{"admin":true},"a":1}'))).toEqual({ a: 1 });
    const deep = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`);
    expect(JSON.stringify(sanitizeJson(deep))).toBe(`${'['.repeat(64)}"[nested too deeply]"${']'.repeat(64)}`);
  });
});

describe('cutText', () => {
  it('leaves a text that fits', () => {
    expect(cutText('abc', 3)).toBe('abc');
  });

  it('says how much it left out', () => {
    expect(cutText('x'.repeat(100), 50)).toBe(`${'x'.repeat(17)}\n[83 of 100 characters left out]`);
  });

  it('never cuts a character in half nor gives more than was allowed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 60 }),
        fc.integer({ min: 45, max: 80 }),
        (text, maxChars) => {
          const cut = cutText(text, maxChars);
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(maxChars);
        },
      ),
    );
  });
});

describe('displayJson', () => {
  it('shows text as it is and other values as indented JSON', () => {
    expect(displayJson('a\u0007b')).toBe('ab');
    expect(displayJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  it('is at most 5,000 characters by default', () => {
    expect(displayJson('x'.repeat(5000))).toBe('x'.repeat(5000));
    expect(displayJson('x'.repeat(6000)).slice(4960)).toBe('xxxxx\n[1035 of 6000 characters left out]');
    expect(displayJson('x'.repeat(100), 50)).toMatch(/of 100 characters left out\]$/);
  });
});

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
