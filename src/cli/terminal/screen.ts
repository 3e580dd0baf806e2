import { widthOf } from './display-width.ts';

/** The part of a terminal that is still being written: the last rows change in place, everything above stays. */
export interface Screen {
  /** Columns that a row may take; the last one stays free, because terminals disagree about it. */
  readonly width: number;
  readonly height: number;
  /** Shows these rows instead of the ones shown last; only what differs is written, in one piece. */
  draw(rows: readonly string[], cursor?: CursorPlace): void;
  /** What is shown stays; the next rows come below it. */
  commit(): void;
  /** Rows shown now, 0 after `commit`. */
  readonly shown: number;
  /** Rows of the shown ones that can still be changed. */
  readonly reach: number;
  /** Takes away what is shown. */
  erase(): void;
  /** Whole lines that stay; what is shown moves below them. */
  print(text: string): void;
  /** Empties the window. */
  clear(): void;
  /** To be called when the window has another size. True when what is shown could not be kept in place: it stays as it is. */
  resized(): boolean;
}

export interface CursorPlace {
  row: number;
  column: number;
}

export interface Output {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
}

const UP = (count: number) => (count > 0 ? `\u001b[${count}A` : '');
const DOWN = (count: number) => (count > 0 ? `\u001b[${count}B` : '');
const RIGHT = (count: number) => (count > 0 ? `\u001b[${count}C` : '');
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
/** Terminals that know it show everything between the two at once; the others ignore it. */
const TOGETHER = (text: string) => `\u001b[?2026h${text}\u001b[?2026l`;

interface State {
  output: Output;
  rows: readonly string[];
  /** Where the cursor stands, counted from the first shown row. */
  at: CursorPlace;
}

export function createScreen(output: Output): Screen {
  const state: State = { output, rows: [], at: { row: 0, column: 0 } };
  return {
    get width() {
      return widthFor(output);
    },
    get height() {
      return heightFor(output);
    },
    get reach() {
      return Math.min(state.rows.length, heightFor(output) - 1);
    },
    get shown() {
      return state.rows.length;
    },
    draw: (rows, cursor) => draw(state, rows, cursor),
    commit: () => commit(state),
    erase: () => erase(state),
    print(text) {
      const { rows, at } = state;
      erase(state);
      output.write(text.endsWith('\n') ? text : `${text}\n`);
      if (rows.length > 0) draw(state, rows, at);
    },
    clear() {
      output.write('\u001b[2J\u001b[3J\u001b[H');
      forget(state);
    },
    resized() {
      if (state.rows.every((row) => widthOf(row) <= widthFor(output))) return false;
      // Terminals break or cut the rows that no longer fit, each in its own way: nobody knows where they now are.
      output.write('\n');
      forget(state);
      return true;
    },
  };
}

function widthFor({ columns }: Output): number {
  return Math.max(1, (columns || 80) - 1);
}

function heightFor({ rows }: Output): number {
  return Math.max(4, rows || 24);
}

function draw(state: State, rows: readonly string[], cursor?: CursorPlace): void {
  let text = update(state, rows);
  state.rows = [...rows];
  if (cursor && (cursor.row !== state.at.row || cursor.column !== state.at.column)) text += moveTo(state, cursor);
  if (text !== '') state.output.write(text);
}

/** The text that turns the shown rows into the next ones. Rows that have scrolled out stay as they are. */
function update(state: State, next: readonly string[]): string {
  const { rows } = state;
  const firstReached = Math.max(0, rows.length - heightFor(state.output) + 1);
  const firstOther = next.findIndex((row, index) => row !== rows[index]);
  if (firstOther === -1 && next.length === rows.length) return '';
  if (rows.length === 0) return rewrite(state, next, 0);
  const first = Math.max(firstReached, firstOther === -1 ? next.length - 1 : firstOther);
  if (first >= next.length) return TOGETHER(rewrite(state, next, Math.max(0, next.length - 1)));
  if (first >= rows.length) return addBelow(state, next);
  return grow(state, next, first) ?? TOGETHER(rewrite(state, next, first));
}

function rewrite(state: State, next: readonly string[], first: number): string {
  const start = moveTo(state, { row: first, column: 0 });
  state.at = endOf(next);
  return `${start}${next.slice(first).join(`${CLEAR_LINE}\n`)}${CLEAR_BELOW}`;
}

/** The usual case while text comes in: the last row has grown, perhaps with more rows behind it. */
function grow(state: State, next: readonly string[], first: number): string | undefined {
  const { rows, at } = state;
  const end = endOf(rows);
  const last = rows.at(-1);
  const isAtEnd = at.row === end.row && at.column === end.column && first === rows.length - 1;
  if (!isAtEnd || last === undefined || !next[first]?.startsWith(last)) return undefined;
  state.at = endOf(next);
  return [next[first].slice(last.length), ...next.slice(first + 1)].join('\n');
}

function addBelow(state: State, next: readonly string[]): string {
  const start = moveTo(state, endOf(state.rows));
  const added = next.slice(state.rows.length).map((row) => `\n${row}`);
  state.at = endOf(next);
  return start + added.join('');
}

function commit(state: State): void {
  if (state.rows.length > 0) state.output.write(`${moveTo(state, endOf(state.rows))}\n`);
  forget(state);
}

function erase(state: State): void {
  const top = Math.max(0, state.rows.length - heightFor(state.output) + 1);
  if (state.rows.length > 0) state.output.write(`${moveTo(state, { row: top, column: 0 })}${CLEAR_BELOW}`);
  forget(state);
}

function forget(state: State): void {
  state.rows = [];
  state.at = { row: 0, column: 0 };
}

function endOf(rows: readonly string[]): CursorPlace {
  return { row: Math.max(0, rows.length - 1), column: widthOf(rows.at(-1) ?? '') };
}

function moveTo(state: State, place: CursorPlace): string {
  const rowsUp = state.at.row - place.row;
  if (rowsUp === 0 && place.column === state.at.column) return '';
  state.at = place;
  return `${rowsUp > 0 ? UP(rowsUp) : DOWN(-rowsUp)}\r${RIGHT(place.column)}`;
}
