import type { TurnResult } from '../../schema/turn.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createTextGate } from '../../tools/text-gate.ts';
import type { Colors } from '../terminal/colors.ts';
import { widthOf } from '../terminal/display-width.ts';
import { createMarkdownStream, type MarkdownStream } from '../terminal/markdown-stream.ts';
import type { Screen } from '../terminal/screen.ts';
import { footnotesOf, withMarks } from './footnotes.ts';

/** Text is drawn at most so often; in between it is collected. Long blocks are drawn less often: drawing must not take over. */
const FRAME_MS = 16;
const PAUSE_PER_DRAWING = 4;
const STATUS_GAP = 3;
/** Further to the right nobody looks. */
const STATUS_END = 90;

/** The text of an answer, growing in place. */
export interface Answer {
  /** A new reply. */
  begin(): void;
  push(text: string): void;
  /** What is there stays as it is. */
  commit(): void;
  /** Adds the marks of the footnotes and the status, then commits. */
  finish(result: TurnResult, status: string | undefined): void;
  resized(isLost: boolean): void;
  /** Text stands in the changing part of the screen. */
  readonly isOpen: boolean;
}

export function createAnswer({ screen, colors }: { screen: Screen; colors: Colors }): Answer {
  let stream: MarkdownStream | undefined;
  let gate = createTextGate(sanitizeText);
  let timer: NodeJS.Timeout | undefined;
  let nextDrawing = 0;
  let isWhole = true;
  let hasText = false;

  const drawNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const start = performance.now();
    if (stream) {
      screen.draw(stream.rows(screen.width));
      if (screen.shown > screen.reach) stream.fix(screen.width);
    }
    const end = performance.now();
    nextDrawing = end + Math.max(FRAME_MS, PAUSE_PER_DRAWING * (end - start));
  };
  const open = (): MarkdownStream => {
    stream ??= createMarkdownStream(colors);
    return stream;
  };
  const endText = () => {
    const rest = gate.end();
    if (rest !== '') open().push(rest);
    if (stream) drawNow();
  };
  const commit = () => {
    endText();
    if (stream) screen.commit();
    stream = undefined;
  };

  return {
    get isOpen() {
      return stream !== undefined;
    },
    begin() {
      commit();
      gate = createTextGate(sanitizeText);
      isWhole = true;
    },
    push(text) {
      const safe = gate.push(text);
      if (safe === '') return;
      hasText = true;
      open().push(safe);
      const wait = nextDrawing - performance.now();
      if (wait <= 0) drawNow();
      else timer ??= setTimeout(drawNow, wait);
    },
    commit,
    finish(result, status) {
      endText();
      if (!hasText && !result.error && result.content.trim() !== '') open().push(sanitizeText(result.content));
      if (stream) {
        const rows = (isWhole && markedRows(stream, result, { screen, colors })) || stream.rows(screen.width);
        screen.draw(withStatus(rows, status, screen.width));
        screen.commit();
      } else if (status) screen.print(status);
      stream = undefined;
    },
    resized(isLost) {
      if (!stream) return;
      if (isLost) {
        stream.restart();
        isWhole = false;
      } else drawNow();
    },
  };
}

/** With the marks of footnotes, if the whole answer can still be changed: text that has scrolled out stays as it was sent. */
function markedRows(
  text: MarkdownStream,
  result: TurnResult,
  { screen, colors }: { screen: Screen; colors: Colors },
): string[] | undefined {
  const { checks = [], content } = result;
  if (checks.length === 0 || text.source !== content || screen.shown > screen.reach) return undefined;
  const marked = createMarkdownStream(colors);
  marked.push(withMarks(content, checks, footnotesOf(result)));
  return marked.rows(screen.width);
}

/** In the last row on the right if there is room, else in a row of its own. */
function withStatus(rows: string[], status: string | undefined, width: number): string[] {
  if (!status) return rows;
  const last = rows.at(-1) ?? '';
  const free = Math.min(width, STATUS_END) - widthOf(last) - widthOf(status);
  if (free < STATUS_GAP) return [...rows, status];
  return [...rows.slice(0, -1), `${last}${' '.repeat(free)}${status}`];
}
