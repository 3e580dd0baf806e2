/** A part of an answer that is read and drawn in one step. */
export interface Slice {
  /** Place in the answer. */
  start: number;
  text: string;
  /** Markdown that opens again what the cut has closed: a fence, or the head of a table. */
  prefix: string;
}

/** A slice takes about 30 ms to read, draw and lay out at its worst. */
const MAX_CHARS = 8_000;
const MAX_UNITS = 600;
/** Browsers shape these scripts in time that grows with the square: 16,000 Arabic letters take 0.4 s, 4,000 take 10 ms. */
const SHAPED = /[\u0300-\uffff]/;
const SHAPED_CHARS = 4_000;
const LONGEST_PREFIX = 500;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
const MARKS = /:\/\/|www\.|[@|*_~`[<>!\\&#]|[-+.)] /g;
const LINK_MARK = /^(?:@|:\/\/|www\.)$/;
/** About the number of elements that a line and a link become. */
const LINE_UNITS = 2;
const LINK_UNITS = 3;

interface Line {
  text: string;
  units: number;
}

/** Cuts an answer where it reads the same in parts. The slices of a text that has grown stay as they were, but the last. */
export function cutSlices(source: string, before: readonly Slice[] = []): readonly Slice[] {
  const slices = before.slice(0, -1);
  let next: Pick<Slice, 'start' | 'prefix'> | undefined = before.at(-1) ?? { start: 0, prefix: '' };
  while (next) {
    const { start, prefix }: Pick<Slice, 'start' | 'prefix'> = next;
    next = findCut(source, start, prefix);
    slices.push({ start, prefix, text: source.slice(start, next?.start ?? source.length) });
  }
  return slices;
}

/** The beginning of the slice after this one; undefined if this one reaches the end. */
function findCut(source: string, start: number, prefix: string): Pick<Slice, 'start' | 'prefix'> | undefined {
  const blocks = createBlockReader(prefix);
  let [units, best, fair] = [0, 0, 0];
  for (let place = start; place < source.length; ) {
    const { text: line, units: added } = readLine(source, place);
    units += added;
    if (place > start && (units > MAX_UNITS || place + line.length - start > MAX_CHARS)) {
      const cut = best || fair;
      return cut ? { start: cut, prefix: '' } : { start: place, prefix: blocks.prefix() };
    }
    const kind = place > start ? blocks.boundaryBefore(line) : undefined;
    if (kind === 'block') best = place;
    if (kind === 'item') fair = place;
    blocks.read(line);
    place += line.length;
    if (!line.endsWith('\n') && place < source.length) return { start: place, prefix: blocks.prefix() };
  }
  return undefined;
}

/** A line with its end, or the first part of one that is long or costly: up to a space if possible. */
function readLine(source: string, start: number): Line {
  const end = source.indexOf('\n', start) + 1 || source.length;
  const long = source.slice(start, Math.min(end, start + MAX_CHARS));
  const part = SHAPED.test(long) ? long.slice(0, SHAPED_CHARS) : long;
  if (part.length < 3) return { text: part, units: LINE_UNITS };
  let units = LINE_UNITS;
  for (const { 0: mark, index } of part.matchAll(MARKS)) {
    units += LINK_MARK.test(mark) ? LINK_UNITS : 1;
    if (units > MAX_UNITS) return { text: cutLine(part.slice(0, index)), units };
  }
  return { text: start + part.length < end ? cutLine(part) : part, units };
}

/** Never ends with half a character. */
function cutLine(part: string): string {
  const space = part.lastIndexOf(' ') + 1;
  if (space > part.length / 2) return part.slice(0, space);
  return /[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part;
}

/** Follows fences and tables line by line. */
function createBlockReader(prefix: string) {
  let fence = '';
  let table = '';
  let last = '';
  const read = (line: string) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence) {
      if (mark && line.trim() === mark && mark.startsWith(FENCE.exec(fence)?.[1] ?? '')) fence = '';
    } else if (mark) fence = line;
    else if (isTableRule(line) && last.includes('|')) table = last + line;
    else if (line.trim() === '') table = '';
    last = line;
  };
  for (const line of prefix.match(/[^\n]*\n/g) ?? []) read(line);
  return {
    read,
    /** `block`: another block begins with this line; `item`: an item or a part of the same list. */
    boundaryBefore(line: string): 'block' | 'item' | undefined {
      if (fence || line.trim() === '') return undefined;
      if (/^#{1,6}\s/.test(line)) return 'block';
      if (LIST_ITEM.test(line)) return 'item';
      if (last.trim() !== '') return undefined;
      return /^\s/.test(line) ? 'item' : 'block';
    },
    prefix(): string {
      const opened = fence || table;
      return opened.length <= LONGEST_PREFIX && opened.endsWith('\n') ? opened : '';
    },
  };
}

function isTableRule(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[\s|:-]+$/.test(line);
}
