import { RE2JS } from 're2js';

export interface LinearPattern {
  test(text: string): boolean;
}

/** A foreign pattern that takes linear time whatever it looks like; undefined when it needs backtracking. */
export function compilePattern(pattern: string): LinearPattern | undefined {
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => expression.matcher(text).find() };
  } catch {
    return undefined;
  }
}
