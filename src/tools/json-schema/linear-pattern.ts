import { RE2JS } from 're2js';
import { estimatePattern } from './pattern-size.ts';

export interface LinearPattern {
  /** Instructions of the compiled pattern. */
  size: number;
  test(text: string): boolean;
  /** The maximum number of steps of a test; a step applies one instruction to one character. */
  stepsFor(text: string): number;
}

/** RE2 allows 1,000 repetitions of each part. Compiling such a pattern takes a tenth of a second. */
const MAX_SIZE = 2_000;

/** Compiles a foreign pattern for matching in linear time; undefined if it needs backtracking or is too large. */
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
