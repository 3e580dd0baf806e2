import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine } from '../render/json-line.ts';
import { keepStyles } from './keep-styles.ts';

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
