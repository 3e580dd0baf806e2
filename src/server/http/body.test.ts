import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDepth, MAX_DEPTH } from './body.ts';

const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepest = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(deepest)) : 0;

describe('checkDepth', () => {
  it('accepts depth up to the limit, and nothing deeper', () => {
    expect(() => checkDepth(nest(MAX_DEPTH))).not.toThrow();
    expect(() => checkDepth(nest(MAX_DEPTH + 1))).toThrow(/deeper/);
  });

  it('never counts brackets inside strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = JSON.stringify({ a: `${'['.repeat(100)}${text}\\"${'{'.repeat(100)}` });
        checkDepth(json);
      }),
    );
  });

  it('refuses every JSON text that is too deep, whatever else is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 60, max: 70 }), (value, levels) => {
        const json = `${'[1,'.repeat(levels)}${JSON.stringify(value)}${']'.repeat(levels)}`;
        const isTooDeep = levels + deepest(value) > MAX_DEPTH;
        expect(refuses(json)).toBe(isTooDeep);
      }),
    );
  });
});

function refuses(text: string): boolean {
  try {
    checkDepth(text);
    return false;
  } catch {
    return true;
  }
}
