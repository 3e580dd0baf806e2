import { RE2JS } from 're2js';

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

/** The cost of a pattern for a machine that follows all alternatives at once. */
export interface PatternSize {
  /** Instructions of the compiled pattern. */
  size: number;
  /** The number of instructions that can be active at one position of a text. */
  width: number;
}

interface Part extends PatternSize {
  /** The number of characters that it matches; undefined if that varies. */
  length: number | undefined;
}

const NOTHING: Part = { size: 0, width: 1, length: 0 };
const ONE: Part = { size: 1, width: 1, length: 1 };

/**
 * Computes an upper bound from the pattern's text in one pass. Repetitions multiply: `(x?){500}` has ten characters and
 * 2,000 instructions. Without ^ a match may begin anywhere, so every instruction can be active.
 */
export function estimatePattern(pattern: string): PatternSize {
  const groups: Group[] = [{ branches: [[]] }];
  for (let index = 0; index < pattern.length; ) index = readPart(pattern, index, groups);
  while (groups.length > 1) closeGroup(groups);
  const { size, width } = joinBranches(groups[0]?.branches ?? []);
  const isAnchored = pattern.startsWith('^') && (groups[0]?.branches.length ?? 0) === 1;
  return { size: size + 2, width: isAnchored ? Math.min(size, width) + 1 : size + 2 };
}

interface Group {
  branches: Part[][];
}

/** Reads a part with its repetition and returns the index of the next part. */
function readPart(pattern: string, index: number, groups: Group[]): number {
  const group = groups.at(-1);
  const branch = group?.branches.at(-1);
  const character = pattern[index];
  if (character === '(') {
    groups.push({ branches: [[]] });
    return index + 1 + (/^\?(?:<?[=!]|:|P?<\w+>|[a-z]+:)?/.exec(pattern.slice(index + 1, index + 80))?.[0].length ?? 0);
  }
  if (character === '|') {
    group?.branches.push([]);
    return index + 1;
  }
  if (character === ')') {
    closeGroup(groups);
    return readRepetition(pattern, index + 1, groups.at(-1)?.branches.at(-1));
  }
  branch?.push(character === '^' || character === '$' ? { ...NOTHING, size: 1 } : ONE);
  return readRepetition(pattern, endOfAtom(pattern, index), branch);
}

function closeGroup(groups: Group[]): void {
  if (groups.length < 2) return;
  const closed = joinBranches(groups.pop()?.branches ?? []);
  groups
    .at(-1)
    ?.branches.at(-1)
    ?.push({ ...closed, size: closed.size + 2 });
}

function endOfAtom(pattern: string, index: number): number {
  if (pattern[index] === '\\')
    return index + (/^\\(?:[pP]\{\w*\}|u\w{4}|x\w\w|.)/s.exec(pattern.slice(index, index + 50))?.[0].length ?? 1);
  if (pattern[index] !== '[') return index + 1;
  let end = index + 1;
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** Applies the repetition at this index, if there is one, to the last part. */
function readRepetition(pattern: string, index: number, parts: Part[] | undefined): number {
  const match = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(pattern.slice(index, index + 12));
  const part = parts?.pop();
  if (match === null || part === undefined) {
    if (part) parts?.push(part);
    return index;
  }
  const [text, least, range, most] = match;
  if (least === undefined || (range !== undefined && most === '')) {
    const copies = Math.max(1, Number(least ?? 1));
    const size = part.size * copies + 2;
    parts?.push({ size, width: size, length: undefined });
  } else {
    parts?.push(repeat(part, Number(least), Number(most ?? least)));
  }
  return index + text.length;
}

function repeat(part: Part, least: number, most: number): Part {
  const copies = Math.max(1, most);
  if (least === most && part.length !== undefined)
    return { size: part.size * copies, width: part.width, length: part.length * least };
  const size = (part.size + 1) * copies;
  return { size, width: size, length: undefined };
}

/** Parts of fixed length are active one after another; after a part of varying length they may be active together. */
function joinParts(parts: readonly Part[]): Part {
  const isFixed = parts.every((part) => part.length !== undefined);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const width = isFixed
    ? parts.reduce((widest, part) => Math.max(widest, part.width), 1)
    : parts.reduce((sum, part) => sum + part.width, 0);
  return { size, width, length: isFixed ? parts.reduce((sum, part) => sum + (part.length ?? 0), 0) : undefined };
}

function joinBranches(branches: readonly Part[][]): Part {
  const joined = branches.map(joinParts);
  const size = joined.reduce((sum, part) => sum + Math.max(1, part.size) + 1, -1);
  const width = joined.reduce((sum, part) => sum + part.width, 0);
  const length = joined.every((part) => part.length === joined[0]?.length) ? joined[0]?.length : undefined;
  return { size, width, length };
}
