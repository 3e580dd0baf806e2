import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutSlices } from './cut-slices.ts';

const textsOf = (source: string) => cutSlices(source).map(({ text }) => text);
const ROWS = Array.from({ length: 400 }, (_, index) => `| ${index} | b |\n`).join('');

describe('cutSlices', () => {
  it('leaves an ordinary answer in one piece', () => {
    const answer = '## Stock\n\n- **one**\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n'.repeat(10);
    expect(textsOf(answer)).toEqual([answer]);
  });

  it.each([
    ['short paragraphs', 'a\n\n'],
    ['items', '- a\n'],
    ['headings', '# a\n'],
    ['addresses', 'a@b.co '],
    ['links', 'http://a.b '],
    ['cells', '|a|b|\n'],
    ['combining characters', '\u0301'],
    ['pairs', '👩'],
    ['newlines', '\n'],
    ['lists within each other', `${'1. '.repeat(20)}a\n`],
  ])('cuts %s into slices that are all small and together the whole', (_what, piece) => {
    const source = piece.repeat(Math.floor(256_000 / piece.length));
    const texts = textsOf(source);
    expect(texts.join('')).toBe(source);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(8_000);
    expect(Math.max(...texts.map((text) => text.split('\n').length))).toBeLessThanOrEqual(301);
    expect(texts.filter((text) => text.includes('\ufffd') || /^[\udc00-\udfff]/.test(text))).toEqual([]);
  });

  it('cuts before a block, not inside it', () => {
    const section = `## Part\n\n${'Some words of it. '.repeat(60)}\n\n- one\n- two\n\n`;
    for (const text of textsOf(section.repeat(40)).slice(1)) expect(text).toMatch(/^(?:## Part|Some words)/);
  });

  it('opens a fence and the head of a table again', () => {
    const code = cutSlices(`\`\`\`sql\n${'SELECT 1;\n'.repeat(900)}\`\`\`\n`);
    expect(code.map(({ prefix }) => prefix)).toEqual(['', ...code.slice(1).map(() => '```sql\n')]);
    const table = cutSlices(`| a | b |\n| - | - |\n${ROWS}`);
    expect(table.length).toBeGreaterThan(1);
    for (const { prefix } of table.slice(1)) expect(prefix).toBe('| a | b |\n| - | - |\n');
  });

  it('keeps the slices of a text that grows, and cuts it as if it had come at once', () => {
    const words = fc.constantFrom('a ', '\n', '\n\n', '# b\n', '- c\n', '```\n', '| d | e |\n| - | - |\n', 'f@g.hi ');
    fc.assert(
      fc.property(fc.array(words, { minLength: 500, maxLength: 2_500 }), fc.nat({ max: 5_000 }), (pieces, at) => {
        const source = pieces.join('');
        const early = cutSlices(source.slice(0, at));
        expect(cutSlices(source, early)).toEqual(cutSlices(source));
        expect(cutSlices(source).slice(0, early.length - 1)).toEqual(early.slice(0, -1));
      }),
      { numRuns: 50 },
    );
  });
});
