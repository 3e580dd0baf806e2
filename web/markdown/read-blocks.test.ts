import { Lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { type Blocks, BoundedLexer, readBlocks } from './read-blocks.ts';

const SOURCE = [
  '# Title\n\nFirst *paragraph* with `code` and $5 or $10.\n\n',
  '- one\n- two\n  - nested\n\n- three after a gap\n\n',
  '| Product | Rate |\n| --- | ---: |\n| Cedar | 89.3% |\n| Oslo | 84.7% |\n\n',
  '```sql\nSELECT 1;\n\nSELECT 2;\n```\n\n> quote\n> goes on\n\n',
  'Setext heading\n===\n\n1. a\n2. b\n\n<b onclick="x()">raw</b>\n\nlast line',
].join('');

function raws({ blocks }: Blocks): string[] {
  return blocks.map(({ token }) => token.raw);
}

describe('readBlocks', () => {
  it('reads a growing text to the same pieces as the whole text at once, at every length', () => {
    for (const step of [1, 3, 7, 40]) {
      let blocks: Blocks | undefined;
      for (let length = step; length < SOURCE.length + step; length += step) {
        blocks = readBlocks(SOURCE.slice(0, length), blocks);
      }
      expect(blocks && raws(blocks)).toEqual(Lexer.lex(SOURCE).map((token) => token.raw));
    }
  });

  it('places each piece where it is in the source', () => {
    const { source, blocks } = readBlocks(SOURCE);
    for (const { token, start } of blocks) expect(source.slice(start, start + token.raw.length)).toBe(token.raw);
  });

  it('keeps the finished pieces, so that they are not drawn again', () => {
    const first = readBlocks('# A\n\nb\n\nc\n\nd');
    const second = readBlocks('# A\n\nb\n\nc\n\nd and more', first);
    expect(second.blocks[0]).toBe(first.blocks[0]);
    expect(second.blocks[2]).toBe(first.blocks[2]);
  });

  it('begins again when the text is another one', () => {
    expect(raws(readBlocks('other', readBlocks(SOURCE)))).toEqual(['other']);
  });
});

const read = (text: string): Token[] => new BoundedLexer({ gfm: true }).lex(text);
const childrenOf = (token: Token): Token[] =>
  token.type === 'list' ? token.items : 'tokens' in token ? (token.tokens ?? []) : [];
const depthOf = (tokens: readonly Token[]): number =>
  Math.max(0, ...tokens.map((token) => 1 + depthOf(childrenOf(token))));

describe('BoundedLexer', () => {
  it.each([
    ['stars', `${'*'.repeat(50_000)}a`],
    ['underscores', '_a'.repeat(50_000)],
    ['an endless address', `${'a.'.repeat(50_000)}@`],
    ['many such lines', `${'*'.repeat(2_000)}a\n\n`.repeat(100)],
  ])('shows %s as they are written', (_what, text) => {
    const tokens = read(text);
    expect(tokens.map(({ raw }) => raw).join('')).toBe(text);
    const last = tokens.findLast(({ type }) => type === 'paragraph');
    expect(last && childrenOf(last).map(({ type, raw }) => [type, raw])).toEqual([['text', last?.raw]]);
  });

  it.each([
    ['quotes', '>'.repeat(5_000)],
    ['lists', '1. '.repeat(5_000)],
  ])('reads %s within each other to a depth that can be drawn', (_what, nested) => {
    const tokens = read(`${nested}a`);
    expect(tokens.map(({ raw }) => raw).join('')).toBe(`${nested}a`);
    expect(depthOf(tokens)).toBeLessThan(50);
  });

  it('reads a long answer like the unbounded one', () => {
    const answer = `## Stock\n\n- **one** of \`two\`, [three](https://a.example) or a@b.example\n\n| a | *b* |\n| - | - |\n| 1 | 2 |\n\n`;
    expect(read(answer.repeat(200))).toEqual(Lexer.lex(answer.repeat(200), { gfm: true }));
  });
});
