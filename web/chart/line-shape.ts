import type { ChartData, ChartSeries } from './chart-data.ts';
import { formatTick, valueTicks } from './value-ticks.ts';

/** Average width of a character of the axis labels, in pixels. */
const CHARACTER = 7.4;
const LABEL_GAP = 16;
const TOP = 20;
const BOTTOM = 28;
const RIGHT = 12;
/** Points closer together than this hide the line. */
const POINT_DISTANCE = 9;

export interface LinePoint {
  index: number;
  x: number;
  y: number;
}

export interface LineShape {
  left: number;
  right: number;
  bottom: number;
  ticks: readonly { value: number; text: string; y: number }[];
  labels: readonly { text: string; x: number; anchor: 'start' | 'middle' | 'end' }[];
  /** For each series its pieces; a missing value ends a piece. */
  lines: readonly (readonly (readonly LinePoint[])[])[];
  hasPoints: boolean;
}

/** Places everything of a line chart in a frame of pixels. */
export function shapeLine(chart: ChartData, width: number, height: number): LineShape {
  const { labels, places, series, format } = chart;
  const values = series.flatMap((one) => one.values).filter((value) => value !== undefined);
  const isWhole = format === undefined && values.every(Number.isInteger);
  const marks = valueTicks(values, { most: 5, isWhole });
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const texts = marks.map((value) => formatTick(value, format));
  const left = Math.ceil(Math.max(...texts.map((text) => text.length)) * CHARACTER) + 8;
  const right = Math.max(width - RIGHT, left + 1);
  const bottom = height - BOTTOM;
  const [start = 0, end = 1] = [places[0], places.at(-1)];
  const xOf = (index: number) => left + (((places[index] ?? 0) - start) / (end - start || 1)) * (right - left);
  const yOf = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - TOP);
  return {
    left,
    right,
    bottom,
    ticks: marks.map((value, index) => ({ value, text: texts[index] ?? '', y: yOf(value) })),
    labels: chooseLabels(labels, { xOf, left, right }),
    lines: series.map((one) => piecesOf(one, xOf, yOf)),
    hasPoints: (right - left) / Math.max(labels.length - 1, 1) >= POINT_DISTANCE,
  };
}

function piecesOf({ values }: ChartSeries, xOf: (index: number) => number, yOf: (value: number) => number) {
  const pieces: LinePoint[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === undefined) pieces.push([]);
    else pieces.at(-1)?.push({ index, x: xOf(index), y: yOf(value) });
  }
  return pieces.filter((piece) => piece.length > 0);
}

interface Span {
  xOf(index: number): number;
  left: number;
  right: number;
}

/** Every n-th label, so that none touches the next. */
function chooseLabels(labels: readonly string[], { xOf, left, right }: Span): LineShape['labels'] {
  const widest = Math.max(...labels.map((label) => label.length)) * CHARACTER + LABEL_GAP;
  const most = Math.max(1, Math.floor((right - left) / widest));
  const every = Math.max(1, Math.ceil((labels.length - 1) / most));
  return labels.flatMap((text, index) => {
    if (index % every !== 0) return [];
    const x = xOf(index);
    const half = (text.length * CHARACTER) / 2;
    const anchor = x - half < 0 ? 'start' : x + half > right + RIGHT ? 'end' : 'middle';
    return [{ text, x, anchor }];
  });
}
