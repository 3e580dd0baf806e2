import { systemClock } from '../../clock.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { createStreamCleaner } from '../../tools/stream-cleaner.ts';
import type { Colors } from '../terminal/colors.ts';
import { widthOf } from '../terminal/display-width.ts';
import { createMarkdownStream, type MarkdownStream } from '../terminal/markdown-stream.ts';
import type { Screen } from '../terminal/screen.ts';
import { footnotesOf, withMarks } from './footnotes.ts';

/** Minimum time between two drawings. Long blocks are drawn less often, so that drawing never dominates. */
const FRAME_MS = 16;
const PAUSE_PER_DRAWING = 4;
const STATUS_GAP = 3;
/** The status is not placed further to the right, where it would be overlooked. */
const STATUS_END = 90;

/** The text of an answer, growing in place. */
export interface Answer {
  /** A new reply. */
  begin(): void;
  push(text: string): void;
  /** Keeps the shown text as it is. */
  commit(): void;
  /** Adds footnote marks and the status, then commits. */
  finish(result: TurnResult, status: string | undefined): void;
  resized(isLost: boolean): void;
  /** Whether text is in the changing part of the screen. */
  readonly isOpen: boolean;
}

export function createAnswer({ screen, colors }: { screen: Screen; colors: Colors }): Answer {
  let stream: MarkdownStream | undefined;
  let cleaner = createStreamCleaner(sanitizeText);
  let timer: NodeJS.Timeout | undefined;
  let nextDrawing = 0;
  let isWhole = true;
  let hasText = false;

  const drawNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const start = systemClock.now();
    if (stream) {
      screen.draw(stream.rows(screen.width));
      if (screen.shown > screen.reach) stream.fix(screen.width);
    }
    const end = systemClock.now();
    nextDrawing = end + Math.max(FRAME_MS, PAUSE_PER_DRAWING * (end - start));
  };
  const open = (): MarkdownStream => {
    stream ??= createMarkdownStream(colors);
    return stream;
  };
  const endText = () => {
    const rest = cleaner.end();
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
      cleaner = createStreamCleaner(sanitizeText);
      isWhole = true;
    },
    push(text) {
      const safe = cleaner.push(text);
      if (safe === '') return;
      hasText = true;
      open().push(safe);
      const wait = nextDrawing - systemClock.now();
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

/** Adds footnote marks if the whole answer can still be changed; text that has scrolled out stays as it was. */
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

/** Places the status in the last row on the right if there is room, else in its own row. */
function withStatus(rows: string[], status: string | undefined, width: number): string[] {
  if (!status) return rows;
  const last = rows.at(-1) ?? '';
  const free = Math.min(width, STATUS_END) - widthOf(last) - widthOf(status);
  if (free < STATUS_GAP) return [...rows, status];
  return [...rows.slice(0, -1), `${last}${' '.repeat(free)}${status}`];
}
