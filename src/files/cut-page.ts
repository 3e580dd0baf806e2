import { findLines, type Line } from './find-lines.ts';
import type { Grey, Scale } from './grey.ts';

/** Rows of a page that are read by themselves. */
interface Band {
  from: number;
  to: number;
  /** What stands between its text and the next one's. */
  separator: '\n' | '\n\n' | '';
}

/** How a page is best read. */
export interface PagePlan {
  bands: Band[];
  /** Lines that are higher than the engine needs are made smaller. */
  scale: Scale;
}

const MIN_LINES = 6;
/** A gap inside a line that is wider than so many heights may be the space between two columns. */
const COLUMN_GAP = 1.2;
/** So many lines below each other with such a gap are columns, or a table. */
const COLUMN_LINES = 3;
/** A cut is looked for so far from where it would be best, as a share of one part. */
const CUT_RANGE = 0.3;
/** What a gap between lines has at least, measured in heights of a line, to be cut in. */
const MIN_GAP = 0.25;
/** A gap so many times the usual one ends a paragraph. */
const PARAGRAPH_GAP = 1.5;
/** The height of a line, from the top of its letters to their tails, that the engine needs, and of its smallest. */
const LINE_ROWS = 30;
const SMALL_LINE_ROWS = 22;
/** Making a picture a little smaller is not worth the work; much smaller, and what was taken for a line was none. */
const SHRINK = { most: 0.5, least: 0.85 };
/** The engine's time goes with the width of letters, and it reads narrow ones as well as wide ones. */
const NARROW = 0.75;
const NARROW_FROM_ROWS = 24;
export const AS_IT_IS: Scale = { across: 1, down: 1 };
/** Lines that lie askew run into each other; then some are much higher than others. */
const EVEN_LINES = 1.6;

/** Cuts a page of one column between its lines, at most into so many bands. Any other page stays whole. */
export function planPage(grey: Grey, parts: number): PagePlan {
  const whole: Band = { from: 0, to: grey.height, separator: '' };
  const lines = findLines(grey);
  if (lines.length < MIN_LINES) return { bands: [whole], scale: AS_IT_IS };
  const bands: Band[] = [];
  for (const { at, separator } of hasColumns(lines) ? [] : findCuts(lines, parts)) {
    bands.push({ from: bands.at(-1)?.to ?? 0, to: at, separator });
  }
  return { bands: [...bands, { ...whole, from: bands.at(-1)?.to ?? 0 }], scale: chooseScale(lines) };
}

function chooseScale(lines: readonly Line[]): Scale {
  const heights = lines.map(heightOf);
  const usual = valueAt(heights, 0.5);
  if (usual < NARROW_FROM_ROWS || valueAt(heights, 0.9) > usual * EVEN_LINES) return AS_IT_IS;
  const factor = Math.max(LINE_ROWS / usual, SMALL_LINE_ROWS / valueAt(heights, 0.1), SHRINK.most);
  const down = factor <= SHRINK.least ? factor : 1;
  return { across: down * NARROW, down };
}

function hasColumns(lines: readonly Line[]): boolean {
  let count = 0;
  for (const line of lines) {
    count = line.gap > heightOf(line) * COLUMN_GAP ? count + 1 : 0;
    if (count >= COLUMN_LINES) return true;
  }
  return false;
}

interface Cut {
  at: number;
  separator: '\n' | '\n\n';
}

/** The widest gap near each place that would be best. */
function findCuts(lines: readonly Line[], parts: number): Cut[] {
  const gaps = gapsOf(lines);
  const usual = valueAt(
    gaps.map((gap) => gap.rows),
    0.5,
  );
  const minimum = MIN_GAP * valueAt(lines.map(heightOf), 0.5);
  const wide = gaps.filter((gap) => gap.rows >= minimum).sort((a, b) => b.rows - a.rows);
  const cuts: Cut[] = [];
  for (let part = 1; part < parts; part++) {
    const widest = wide.find(({ done }) => Math.abs(done - part / parts) <= CUT_RANGE / parts);
    if (!widest) continue;
    const isParagraph = widest.rows >= usual * PARAGRAPH_GAP;
    cuts.push({ at: widest.from + (widest.rows >> 1), separator: isParagraph ? '\n\n' : '\n' });
  }
  return cuts;
}

interface Gap {
  from: number;
  rows: number;
  /** The share of the work that lies above it. */
  done: number;
}

/** Reading a line takes as long as it is long for its height. */
function gapsOf(lines: readonly Line[]): Gap[] {
  const work = lines.map((line) => line.extent / heightOf(line));
  const total = work.reduce((sum, part) => sum + part, 0);
  let done = 0;
  return lines.slice(0, -1).map(({ to }, index) => {
    done += (work[index] ?? 0) / total;
    return { from: to, rows: (lines[index + 1]?.from ?? to) - to, done };
  });
}

function heightOf({ from, to }: Line): number {
  return to - from;
}

/** The value below which that share of all lies. */
function valueAt(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}
