import { describe, expect, it } from 'vitest';
import { createThinkTags } from './providers/think-tags.ts';
import { createCallCollector, type ToolCallPart } from './providers/tool-call-parts.ts';

const COUNT = 60_000;

/** The best of three runs in milliseconds; other load on the machine can only make a run longer. */
function timeOf(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return Math.min(...times);
}

const readText = (text: string) => () => createThinkTags(() => {}).push(text);
const readParts = (makePart: (index: number) => ToolCallPart) => () => {
  const calls = createCallCollector(() => 'new');
  for (let index = 0; index < COUNT; index++) calls.add(makePart(index));
};
const argumentsAt = (index: number) => (index === 0 ? '{"a":"' : '}');

describe('a hostile reply', () => {
  it.each([
    ['tags', readText('</think>'.repeat(COUNT)), readText('<b>bold '.repeat(COUNT))],
    [
      'calls',
      readParts((index) => ({ index, name: 'echo', arguments: '{}' })),
      readParts((index) => ({ id: `c${index}`, name: 'echo', arguments: '{}' })),
    ],
    [
      'parts of one call, each of which may end it',
      readParts((index) => ({ index: 0, name: 'echo', arguments: argumentsAt(index) })),
      readParts((index) => ({ index: 0, ...(index === 0 && { name: 'echo' }), arguments: argumentsAt(index) })),
    ],
  ])('of many %s takes about as long as a plain one of the same size', (_, hostile, plain) => {
    // Quadratic work would take many thousand times as long.
    expect(timeOf(hostile) / timeOf(plain)).toBeLessThan(1_000);
  });
});
