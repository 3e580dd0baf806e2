import { type ColumnFormat, formatCell } from '../../schema/column-format.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth, padTo, widthOf } from '../terminal/display-width.ts';

export interface DrawingOptions {
  colors: Colors;
  width: number;
  /** Draws with ASCII characters, for terminals that show lines only. */
  isPlain: boolean;
}

interface Point {
  label: string;
  value: number;
  text: string;
}

const MOST_BARS = 10;
const MOST_POINTS = 60;
const FEWEST = 2;
const LONGEST_LABEL = 24;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 6;

/** Results that are best seen as bars or as a line, drawn in characters with their figures. */
export function drawingRows({ tool_calls: calls }: TurnResult, options: DrawingOptions): string[] {
  return calls.flatMap((call) => {
    const { result } = call;
    if (!isObject(result) || (result.drawing !== 'bars' && result.drawing !== 'line')) return [];
    const points = pointsOf(call, result);
    if (points.length < FEWEST) return [];
    return result.drawing === 'bars' ? barRows(points, options) : lineRows(points, options);
  });
}

/** The first column names the points; the first column with figures has their values. */
function pointsOf({ state }: ToolCall, { rows, columns }: JsonObject): Point[] {
  if (state !== 'completed' || !Array.isArray(rows) || !Array.isArray(columns)) return [];
  const listed = columns.filter(isObject);
  const records = rows.filter(isObject);
  const label = String(listed[0]?.name ?? '');
  const value = listed.find(({ name }, at) => at > 0 && typeof records[0]?.[String(name)] === 'number');
  if (!value) return [];
  return records.flatMap((row) => {
    const figure = row[String(value.name)];
    if (typeof figure !== 'number') return [];
    const name = sanitizeText(formatCell(row[label], 'text')).replace(/\s+/g, ' ');
    return [{ label: name, value: figure, text: formatCell(figure, value.format as ColumnFormat | undefined) }]; // ours
  });
}

const EIGHTHS = ' ▏▎▍▌▋▊▉';

function barRows(points: readonly Point[], { colors, width, isPlain }: DrawingOptions): string[] {
  const shown = points.slice(0, MOST_BARS);
  const labels = Math.min(LONGEST_LABEL, Math.max(...shown.map(({ label }) => widthOf(label))));
  const texts = Math.max(...shown.map(({ text }) => widthOf(text)));
  const room = Math.min(WIDEST_BAR, width - labels - texts - 6);
  const largest = Math.max(...points.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const more = points.length > shown.length ? [colors.dim(`  … and ${points.length - shown.length} more`)] : [];
  const rows = shown.map(({ label, value, text }) => {
    const name = padTo(cutToWidth(label, labels), labels);
    const bar = room < NARROWEST_BAR ? '' : `${padTo(barOf(Math.abs(value) / largest, room, isPlain), room)}  `;
    return `  ${name}  ${value < 0 ? colors.red(bar) : colors.cyan(bar)}${text.padStart(texts)}`;
  });
  return [...rows, ...more];
}

function barOf(share: number, room: number, isPlain: boolean): string {
  if (isPlain) return '#'.repeat(Math.round(share * room));
  const eighths = Math.round(share * room * 8);
  return `${'█'.repeat(Math.floor(eighths / 8))}${eighths % 8 === 0 ? '' : EIGHTHS[eighths % 8]}`;
}

const HEIGHTS = '▁▂▃▄▅▆▇█';

/** A line over time in one row, with its first, last, lowest and highest point; in ASCII only the points. */
function lineRows(points: readonly Point[], { colors, width, isPlain }: DrawingOptions): string[] {
  const values = points.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(...values, low + Number.MIN_VALUE);
  const step = Math.max(1, Math.ceil(points.length / Math.min(MOST_POINTS, Math.max(1, width - 4))));
  const drawn = points.filter((_, at) => at % step === 0 || at === points.length - 1);
  const marks = drawn.map(({ value }) => HEIGHTS[Math.round(((value - low) / (high - low)) * (HEIGHTS.length - 1))]);
  const named = (name: string, point: Point | undefined) => (point ? `${name} ${point.label} ${point.text}` : '');
  const ends = [
    named('first', points[0]),
    named('last', points.at(-1)),
    named('lowest', points[values.indexOf(Math.min(...values))]),
    named('highest', points[values.indexOf(Math.max(...values))]),
  ];
  return [...(isPlain ? [] : [`  ${colors.cyan(marks.join(''))}`]), ...wrapped(ends, width)];
}

/** Puts as many texts into a row as fit. */
function wrapped(texts: readonly string[], width: number): string[] {
  const rows: string[] = [];
  for (const text of texts) {
    const last = rows.at(-1);
    const joined = last === undefined ? undefined : `${last} · ${text}`;
    if (joined !== undefined && widthOf(joined) <= width) rows.splice(-1, 1, joined);
    else rows.push(cutToWidth(`  ${text}`, width));
  }
  return rows;
}
