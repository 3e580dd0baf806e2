import { Lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { BoundedLexer } from './bounded-lexer.ts';

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
