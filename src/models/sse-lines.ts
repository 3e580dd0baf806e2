/** Longer than any delta of any provider; a longer line is an error or an attack. */
export const MAX_LINE_CHARS = 1_000_000;

/** Room for more than 100,000 tokens with their envelopes; a longer reply has no end. */
export const MAX_REPLY_CHARS = 32_000_000;

export interface SseLines {
  push(piece: string): void;
  /** Emits a last line without a line break. */
  end(): void;
}

export interface SseHandlers {
  onData(data: string): void;
  /** A line that belongs to no event stream. */
  onStray(line: string): void;
  onTooLong(): void;
}

/**
 * Splits an event stream into data lines, wherever the chunks are cut. Every data line is complete: providers never
 * spread JSON over several lines.
 */
export function createSseLines({ onData, onStray, onTooLong }: SseHandlers): SseLines {
  return createLines((line) => {
    if (line.startsWith('data:')) onData(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
    else if (line !== '' && !/^(:|event|id|retry)/.test(line)) onStray(line);
  }, onTooLong);
}

/** Splits JSON values of one line each. */
export function createJsonLines({ onData, onTooLong }: SseHandlers): SseLines {
  return createLines((line) => {
    if (line.trim() !== '') onData(line);
  }, onTooLong);
}

function createLines(handleLine: (line: string) => void, onTooLong: () => void): SseLines {
  let pending = '';
  let isStart = true;
  return {
    push(raw) {
      const text = isStart ? withoutMark(raw) : raw;
      isStart &&= raw === '';
      const piece = text.includes('\r') ? text.replaceAll('\r', '\n') : text;
      let start = 0;
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
        const line = pending + piece.slice(start, end);
        pending = '';
        if (line.length > MAX_LINE_CHARS) return onTooLong();
        handleLine(line);
        start = end + 1;
      }
      pending += start === 0 ? piece : piece.slice(start);
      if (pending.length > MAX_LINE_CHARS) onTooLong();
    },
    end() {
      const line = pending;
      pending = '';
      handleLine(line);
    },
  };
}

/** Removes a byte order mark at the start of a text. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
