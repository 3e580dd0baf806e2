import type { Grey } from './grey.ts';

/** A line of text: rows with ink between rows without. */
export interface Line {
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
