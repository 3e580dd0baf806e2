/** A small change to a source file that a good test notices. */
export interface Mutation {
  line: number;
  /** The changed piece, before and after. */
  from: string;
  to: string;
  /** The whole file with the change. */
  text: string;
}

/** Operators are matched with the spaces that the formatter adds, so type arguments do not match. */
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/(?<![\w.])true\b/g, 'false'],
  [/(?<![\w.])false\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/Math\.min\(/g, 'Math.max('],
  [/Math\.max\(/g, 'Math.min('],
  [/(?<=[( ])!(?=[\w(])/g, ''],
];
const CONDITION = /\bif \(/g;
/** A call on a line of its own; its value is not used. */
const CALL_LINE = /(?<=^ +)(?:await |void )?[\w.?]+\([^\n]*\);(?=$)/gm;
const NUMBER = /(?<![\w.$])\d[\d_]*(?![\w.])/g;

/** All mutations of a file. Comments, strings and patterns stay unchanged. */
export function findMutations(source: string): Mutation[] {
  const code = maskText(source);
  const mutations: Mutation[] = [];
  const add = (start: number, length: number, to: string) => {
    const from = source.slice(start, start + length);
    if (from === to) return;
    const line = source.slice(0, start).split('\n').length;
    mutations.push({ line, from, to, text: source.slice(0, start) + to + source.slice(start + length) });
  };
  for (const [pattern, to] of SWAPS) for (const found of code.matchAll(pattern)) add(found.index, found[0].length, to);
  for (const found of code.matchAll(CALL_LINE)) add(found.index, found[0].length, ';');
  for (const found of code.matchAll(NUMBER)) add(found.index, found[0].length, String(readNumber(found[0]) + 1));
  for (const found of code.matchAll(CONDITION)) {
    const start = found.index + found[0].length;
    const length = findClosing(code, start) - start;
    for (const constant of ['true', 'false']) add(start, length, constant);
  }
  return mutations;
}

function readNumber(digits: string): number {
  return Number(digits.replaceAll('_', ''));
}

function findClosing(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  return start;
}

/** A pattern can begin only where a value can; elsewhere a slash divides. */
const PARTS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/g;

/** The same text with spaces in place of comments, strings and patterns. */
function maskText(source: string): string {
  return source.replace(PARTS, (part) => part.replace(/[^\n]/g, ' '));
}
