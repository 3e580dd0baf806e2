import { widthOf, withoutStyles } from './display-width.ts';
import { breakText } from './spans.ts';

/**
 * The part of a terminal that is still being written: the last rows change in place, everything above stays. While the
 * person does not type, the hidden cursor rests at the start of those rows: a resized window moves it along with them,
 * so everything after it can be written again. The window may change before this program is notified; output in between
 * must leave the cursor at that place too, whatever the size.
 */
export interface Screen {
  /** Columns available for a row; the last one stays free, because terminals handle it differently. */
  readonly width: number;
  readonly height: number;
  /** Replaces the shown rows; if possible, only the differences are written, in one chunk. */
  draw(rows: readonly string[], cursor?: CursorPlace): void;
  /** Makes the shown rows permanent; later rows follow below. */
  commit(): void;
  /** Number of rows shown now; 0 after `commit`. */
  readonly shown: number;
  /** Number of shown rows that can still be changed. */
  readonly reach: number;
  /** Removes the shown rows. */
  erase(): void;
  /** Prints permanent lines; the shown rows move below them. */
  print(text: string): void;
  /** Clears the window. */
  clear(): void;
  /**
   * Called when the window size has changed; the caller then draws again. Returns true if part of the rows has scrolled
   * out and would look different now: those stay as they are, and later rows follow below.
   */
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
/** Unlike the counted movement, this scrolls at the last row, so the same number of rows up leads back. */
const DOWN = (count: number) => '\u001bD'.repeat(Math.max(0, count));
const RIGHT = (count: number) => (count > 0 ? `\u001b[${count}C` : '');
/** More rows and columns than any window has. */
const BOTTOM = '\u001b[9999B';
const RIGHT_EDGE = '\u001b[9999G';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
/** Terminals that support it show everything between the two at once; others ignore it. */
const TOGETHER = (text: string) => `\u001b[?2026h${text}\u001b[?2026l`;

/** Cuts wide rows instead of wrapping them, so that their number stays the same in a narrower window. */
const CUT_ON = '\u001b[?7l';
const CUT_OFF = '\u001b[?7h';
/** Writes past the right edge into the next row, so that the terminal treats that row as part of the same line. */
const NEXT_OF_LINE = `${CUT_OFF}${RIGHT_EDGE}  \r${CUT_ON}`;

interface State {
  output: Output;
  /** How this terminal handles rows that no longer fit. */
  reflow: Reflow;
  rows: readonly string[];
  /** The cursor's position, counted from the first shown row. */
  at: CursorPlace;
  /** Whether the person types into these rows, with the cursor in them. */
  isTyped: boolean;
}

/**
 * Terminals wrap all rows that no longer fit, or cut them. xterm.js goes from the last row to the first, cuts the
 * cursor's line, and moves the cursor down for every other wrapped line, even for lines below it.
 */
export type Reflow = 'all' | 'xterm.js' | 'none';

function reflowOf(env: NodeJS.ProcessEnv): Reflow {
  if (env.XTERM_VERSION || (env.STY && !env.TMUX)) return 'none';
  return env.TERM_PROGRAM === 'vscode' ? 'xterm.js' : 'all';
}

export function createScreen(output: Output, reflow: Reflow = reflowOf(process.env)): Screen {
  const state: State = { output, reflow, rows: [], at: { row: 0, column: 0 }, isTyped: false };
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
      const { rows, at, isTyped } = state;
      erase(state);
      output.write(text.endsWith('\n') ? text : `${text}\n`);
      if (rows.length > 0) draw(state, rows, isTyped ? at : undefined);
    },
    clear() {
      output.write('\u001b[H\u001b[2J');
      forget(state);
    },
    resized: () => resize(state),
  };
}

function resize(state: State): boolean {
  const { output, rows, at, isTyped } = state;
  if (rows.length === 0) return false;
  if (at.row === 0 || isTyped) {
    output.write(`${isTyped ? UP(rowsAbove(state)) : ''}\r${CLEAR_BELOW}`);
    forget(state);
    return false;
  }
  // The rows are taller than the window: the cursor rests at the first reachable row.
  if (rows.every((row) => widthOf(row) <= widthFor(output))) {
    output.write(TOGETHER(rewrite(state, rows, at.row) + rest(state)));
    return false;
  }
  output.write(`${BOTTOM}\n`);
  forget(state);
  return true;
}

/** Number of window rows between the first typed row and the cursor, after the terminal has wrapped them. */
function rowsAbove({ output, reflow, rows, at }: State): number {
  if (reflow === 'none') return at.row;
  const columns = Math.max(1, output.columns || 80);
  const added = rows.map((row) => breakText(withoutStyles(row), columns).length - 1);
  if (reflow === 'xterm.js')
    return added.reduceRight((row, count, index) => (index === row ? row : row + count), at.row);
  const above = added.slice(0, at.row).reduce((sum, count) => sum + count, at.row);
  return above + Math.floor(at.column / columns);
}

function widthFor({ columns }: Output): number {
  return Math.max(1, (columns || 80) - 1);
}

function heightFor({ rows }: Output): number {
  return Math.max(4, rows || 24);
}

function draw(state: State, rows: readonly string[], cursor?: CursorPlace): void {
  state.isTyped ||= cursor !== undefined;
  let text = update(state, rows);
  state.rows = [...rows];
  if (text !== '' && !state.isTyped) text = CUT_ON + text + CUT_OFF;
  text += cursor ? moveTo(state, cursor) : rest(state);
  if (text !== '') state.output.write(text);
}

/**
 * While the person does not type, xterm.js is made to treat all rows as the cursor's line, which it leaves alone;
 * otherwise the cursor's movement would be unknown. The rows are then always written as a whole. Rows that scroll out
 * are separate lines.
 */
function isOneLine({ output, reflow, isTyped }: State, rows: readonly string[]): boolean {
  return reflow === 'xterm.js' && !isTyped && rows.length < heightFor(output);
}

/** Moves the cursor to the first reachable row. */
function rest(state: State): string {
  return moveTo(state, { row: firstReached(state), column: 0 });
}

function firstReached({ rows, output }: State): number {
  return Math.max(0, rows.length - heightFor(output) + 1);
}

/** The output that turns the shown rows into the next ones. Rows that have scrolled out stay as they are. */
function update(state: State, next: readonly string[]): string {
  const { rows } = state;
  const firstOther = next.findIndex((row, index) => row !== rows[index]);
  if (firstOther === -1 && next.length === rows.length) return '';
  if (rows.length === 0) return rewrite(state, next, 0);
  if (isOneLine(state, rows)) return TOGETHER(rewrite(state, next, 0));
  const first = Math.max(firstReached(state), firstOther === -1 ? next.length - 1 : firstOther);
  if (first >= next.length) return TOGETHER(rewrite(state, next, Math.max(0, next.length - 1)));
  if (first >= rows.length) return addBelow(state, next);
  return grow(state, next, first) ?? TOGETHER(rewrite(state, next, first));
}

function rewrite(state: State, next: readonly string[], first: number): string {
  const start = moveTo(state, { row: first, column: 0 });
  const rows = isOneLine(state, next) ? next.map(filled) : next;
  state.at = endOf(rows);
  const between = isOneLine(state, next) ? NEXT_OF_LINE : '\n';
  return `${start}${rows.slice(first).join(CLEAR_LINE + between)}${CLEAR_BELOW}`;
}

/** A row cleared from its first column would no longer belong to its line. */
function filled(row: string): string {
  return widthOf(row) === 0 ? `${row} ` : row;
}

/** The usual case while text arrives: the last row has grown, perhaps followed by new rows. */
function grow(state: State, next: readonly string[], first: number): string | undefined {
  const { rows } = state;
  const last = rows.at(-1);
  if (first !== rows.length - 1 || last === undefined || !next[first]?.startsWith(last)) return undefined;
  const start = moveTo(state, endOf(rows));
  state.at = endOf(next);
  return start + [next[first].slice(last.length), ...next.slice(first + 1)].join('\n');
}

function addBelow(state: State, next: readonly string[]): string {
  const start = moveTo(state, endOf(state.rows));
  const added = next.slice(state.rows.length).map((row) => `\n${row}`);
  state.at = endOf(next);
  return start + added.join('');
}

/** Rows that have not scrolled out are written again as whole lines, valid for any window size. */
function commit(state: State): void {
  const { output, rows, at, isTyped } = state;
  const isMoved = isTyped || at.row > 0;
  const text = isMoved ? `${moveTo(state, endOf(rows))}\n` : TOGETHER(`${CLEAR_BELOW}${rows.join('\n')}\n`);
  if (rows.length > 0) output.write(text);
  forget(state);
}

function erase(state: State): void {
  if (state.rows.length > 0) state.output.write(`${rest(state)}${CLEAR_BELOW}`);
  forget(state);
}

function forget(state: State): void {
  state.rows = [];
  state.at = { row: 0, column: 0 };
  state.isTyped = false;
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
