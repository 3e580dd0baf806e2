import { RE2JS } from 're2js';
import { estimatePattern } from './pattern-size.ts';

export interface LinearPattern {
  /** Instructions of the compiled pattern. */
  size: number;
  test(text: string): boolean;
  /** How many steps the test takes at most; a step follows one instruction over one character. */
  stepsFor(text: string): number;
}

/** RE2 allows 1,000 repetitions of each part; compiling such a pattern takes a tenth of a second. */
const MAX_SIZE = 2_000;

/** A foreign pattern in linear time; undefined when it needs backtracking, or is too large for this. */
export function compilePattern(pattern: string): LinearPattern | undefined {
  const { size, width } = estimatePattern(pattern);
  if (size > MAX_SIZE) return undefined;
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return {
      size,
      test: (text) => expression.matcher(text).find(),
      stepsFor: (text) => 1 + (text.length + 1) * width,
    };
  } catch {
    return undefined;
  }
}
