import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from './display-width.ts';
import { foldText } from './fold-text.ts';

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
