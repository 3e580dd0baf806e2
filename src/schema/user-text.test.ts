import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { cleanUserText, countCodePoints, type TextCheck } from './user-text.ts';

function problemWith(...given: Parameters<typeof cleanUserText>): unknown {
  try {
    return cleanUserText(...given);
  } catch (error) {
    return error instanceof AppError ? { code: error.code, problems: error.problems } : error;
  }
}
const refused = (message: string) => ({ code: 'invalid_request', problems: [{ path: 'message', message }] });

describe('cleanUserText', () => {
  it.each([
    ['hi', 'hi'],
    ['  hi \n', 'hi'],
    ['a\tb\nc', 'a\tb\nc'],
    ['a\r\nb', 'a\nb'],
    ['a\u0000\u0007\u001b[31m\u007f\u0085b', 'a[31mb'],
    ['\u0000 hi', 'hi'],
    ['👩‍👩‍👧 日本', '👩‍👩‍👧 日本'],
  ])('makes of %j %j', (text, expected) => {
    expect(cleanUserText(text)).toBe(expected);
  });

  it.each([
    ['', 'must not be empty'],
    [' \n\t\u0000', 'must not be empty'],
    ['\u200b\u200d\u2060\ufeff', 'must not be empty'],
    ['\u200f \u3164\u2800\u{e0041}\u00ad', 'must not be empty'],
    ['a\ud83d', 'contains half of a character (a lone surrogate); send valid UTF-8'],
    ['\ude00a', 'contains half of a character (a lone surrogate); send valid UTF-8'],
    ['x'.repeat(10_001), 'has 10001 characters; at most 10000 are allowed'],
  ])('refuses %.20j', (text, message) => {
    expect(problemWith(text)).toEqual(refused(message));
  });

  it('keeps marks and joiners inside visible text', () => {
    for (const text of ['\u05d0\u200f!', '👩\u200d👧', '\u0645\u06cc\u200c\u062e\u0648'])
      expect(problemWith(text)).toBe(text);
  });

  it('counts code points, after trimming, up to the very limit', () => {
    expect(problemWith('😀'.repeat(5), 5)).toBe('😀'.repeat(5));
    expect(problemWith('  12345  ', 5)).toBe('12345');
    expect(problemWith('😀'.repeat(6), 5)).toEqual(refused('has 6 characters; at most 5 are allowed'));
  });

  it('applies additional checks', () => {
    const isQuiet: TextCheck = (text) => (text.includes('!') ? 'must not shout' : undefined);
    expect(problemWith('hey!', 10, [isQuiet])).toEqual(refused('must not shout'));
  });

  it('never returns control characters, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = problemWith(text);
        if (typeof clean !== 'string') return;
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(cleanUserText(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('countCodePoints', () => {
  it('counts a pair of surrogates once', () => {
    expect(['', 'ab', '😀a'].map(countCodePoints)).toEqual([0, 2, 2]);
  });
});
