import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { checksWithin, placeTexts, splitFigures } from './figure-spans.ts';
import { readBlocks } from './read-blocks.ts';

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
