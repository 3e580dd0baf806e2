import fc from 'fast-check';
import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { cutSlices } from './cut-slices.ts';
import { checksWithin, placeTexts, splitFigures } from './figure-spans.ts';
import { readLink } from './inline.tsx';
import { readBlocks } from './read-blocks.ts';

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

describe('inline', () => {
  it('takes http, https and mailto, and shows where they lead', () => {
    expect(readLink('https://example.com/a?b=1')).toEqual({ href: 'https://example.com/a?b=1', host: 'example.com' });
    expect(readLink('http://127.0.0.1:8000/docs')?.host).toBe('127.0.0.1:8000');
    expect(readLink('mailto:a@example.com')).toEqual({ href: 'mailto:a@example.com', host: 'a@example.com' });
  });

  it('refuses everything else', () => {
    const refused = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,<script>1</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:http://x/y',
      '/docs',
      '//evil.example/x',
      '#token=1',
      'http://user:secret@evil.example/',
      '',
    ];
    expect(refused.map(readLink)).toEqual(refused.map(() => undefined));
  });
});

const ANSWER = [
  'From **Customer Behavior**: 89.3% of its carts (92 of 103), `92` & more &amp; 92.\n\n',
  '| Product | Carts | Rate |\n| --- | ---: | ---: |\n| Cedar 92 | 103 | 89.3% |\n| Oslo | 150 | 84.7% |\n\n',
  '- 2 of 3 [92](https://example.com/92)\n  - nested 92\n- *92*\n\n> 92 quoted\n',
].join('');

function checkEvery(text: string, pattern: RegExp): NumberCheck[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
    found: true,
  }));
}

function figuresOf(answer: string, checks: readonly NumberCheck[]): string[] {
  return readBlocks(answer).blocks.flatMap((block) => {
    const inside = checksWithin(checks, block.start, block.start + block.token.raw.length);
    return [...placeTexts(block)].flatMap(([token, place]) =>
      splitFigures(textOf(token), place, inside).flatMap((span) =>
        typeof span === 'string' ? [] : [`${span.text}@${span.check.start}`],
      ),
    );
  });
}

function textOf(token: Token): string {
  return token.type === 'codespan' && 'text' in token ? String(token.text) : token.raw;
}

describe('figures', () => {
  it('are found in paragraphs, tables, lists, links, code and quotes, each at its own place', () => {
    const checks = checkEvery(ANSWER, /\d+(\.\d+)?%?/g).filter(({ start }) => !ANSWER.slice(0, start).endsWith('com/'));
    expect(figuresOf(ANSWER, checks)).toEqual(checks.map(({ text, start }) => `${text}@${start}`));
  });

  it('are not marked where the text at their place is another one', () => {
    expect(splitFigures('12 of 13', 0, [{ text: '99', start: 0, end: 2, found: true }])).toEqual(['12 of 13']);
  });

  it('leave the rest of the text as it was', () => {
    const spans = splitFigures('a 12 b', 10, [{ text: '12', start: 12, end: 14, found: true }]);
    expect(spans.map((span) => (typeof span === 'string' ? span : span.text))).toEqual(['a ', '12', ' b']);
  });
});
