import type { Grey, Scale } from './grey.ts';

/** Rows of a page that are recognized separately. */
interface Band {
  from: number;
  to: number;
  /** The separator between its text and the next. */
  separator: '\n' | '\n\n' | '';
}

/** The way to read a page. */
export interface PagePlan {
  bands: Band[];
  /** Lines higher than the engine needs are scaled down. */
  scale: Scale;
}

const MIN_LINES = 6;
/** A gap inside a line wider than this many line heights may separate two columns. */
const COLUMN_GAP = 1.2;
/** This many consecutive lines with such a gap are columns, or a table. */
const COLUMN_LINES = 3;
/** Distance from the ideal position within which a cut is searched, as a share of one part. */
const CUT_RANGE = 0.3;
/** Minimum gap between lines for a cut, in line heights. */
const MIN_GAP = 0.25;
/** A gap of this many times the usual one ends a paragraph. */
const PARAGRAPH_GAP = 1.5;
/** The line height, from top to descender, that the engine needs, usually and at least. */
const LINE_ROWS = 30;
const SMALL_LINE_ROWS = 22;
/** Scaling down slightly is not worth the work; scaling down strongly means that no real lines were found. */
const SHRINK = { most: 0.5, least: 0.85 };
/** The engine's time grows with the width of letters, and it reads narrow letters equally well. */
const NARROW = 0.75;
const NARROW_FROM_ROWS = 24;
export const AS_IT_IS: Scale = { across: 1, down: 1 };
/** Skewed lines merge; then some are much higher than others. */
const EVEN_LINES = 1.6;

/** Cuts a single-column page between its lines into at most `parts` bands. Any other page stays whole. */
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

/** The widest gap near each ideal position. */
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
  /** The share of the work above the gap. */
  done: number;
}

/** The time to read a line is proportional to its length divided by its height. */
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

/** The quantile of the values at this share. */
function valueAt(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

/** A line of text: rows with ink between rows without. */
interface Line {
  from: number;
  to: number;
  /** Columns from the first with ink to the last. */
  extent: number;
  /** The widest run of columns without ink between two with ink. */
  gap: number;
}

/** Share of a row that may be noise. */
const DIRT = 1 / 1_000;
/** Minimum share of background on a page. */
const MIN_PAPER = 0.6;
const MIN_LINE_ROWS = 4;

/** The lines of a straight page of dark text; empty for any other page. */
export function findLines(grey: Grey): Line[] {
  const limit = findInkLimit(grey);
  if (limit === undefined) return [];
  const dirt = Math.max(1, Math.floor(grey.width * DIRT));
  const lines: Line[] = [];
  let from = -1;
  for (let row = 0; row <= grey.height; row++) {
    const hasInk = row < grey.height && isInked(grey, row, { limit, dirt });
    if (hasInk && from === -1) from = row;
    if (hasInk || from === -1) continue;
    if (row - from >= MIN_LINE_ROWS) lines.push(lookAtLine(grey, { from, to: row, limit }));
    from = -1;
  }
  return lines;
}

function isInked({ width, data }: Grey, row: number, { limit, dirt }: { limit: number; dirt: number }): boolean {
  let ink = 0;
  for (let at = row * width; at < (row + 1) * width; at++) {
    if ((data[at] as number) < limit && ++ink > dirt) return true;
  }
  return false;
}

function lookAtLine({ width, data }: Grey, { from, to, limit }: { from: number; to: number; limit: number }): Line {
  const columns = new Uint8Array(width);
  for (let row = from; row < to; row++) {
    for (let x = 0, at = row * width; x < width; x++, at++) if ((data[at] as number) < limit) columns[x] = 1;
  }
  const first = columns.indexOf(1);
  const last = columns.lastIndexOf(1);
  let gap = 0;
  for (let x = first, ink = first; x <= last; x++) {
    if (columns[x] === 0) continue;
    gap = Math.max(gap, x - ink - 1);
    ink = x;
  }
  return { from, to, extent: last - first + 1, gap };
}

/** The threshold between the two clusters of shades of a text page; samples one pixel in nine. */
function findInkLimit({ width, height, data }: Grey): number | undefined {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let y = 0; y < height; y += 3) {
    for (let x = 0, at = y * width; x < width; x += 3, at += 3) {
      const shade = data[at] as number;
      counts[shade] = (counts[shade] as number) + 1;
      total++;
    }
  }
  const limit = splitHeaps(counts, total);
  const paper = counts.subarray(limit).reduce((sum, count) => sum + count, 0);
  return paper >= total * MIN_PAPER ? limit : undefined;
}

/** The shade that separates the counts best (Otsu's method). */
function splitHeaps(counts: Uint32Array, total: number): number {
  const whole = counts.reduce((sum, count, shade) => sum + count * shade, 0);
  let [best, limit, dark, darkSum] = [-1, 128, 0, 0];
  for (let shade = 0; shade < 255; shade++) {
    dark += counts[shade] as number;
    darkSum += (counts[shade] as number) * shade;
    if (dark === 0 || dark === total) continue;
    const distance = darkSum / dark - (whole - darkSum) / (total - dark);
    const spread = dark * (total - dark) * distance * distance;
    if (spread > best) [best, limit] = [spread, shade + 1];
  }
  return limit;
}
