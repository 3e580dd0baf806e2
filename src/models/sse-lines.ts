/** Longer than any delta of any provider; what exceeds it is a fault or an attack. */
export const MAX_LINE_CHARS = 1_000_000;

/** Holds more than 100,000 tokens with their envelopes; a reply beyond it has no end. */
export const MAX_REPLY_CHARS = 32_000_000;

export interface SseLines {
  push(piece: string): void;
  /** Hands over a last line that no line break closed. */
  end(): void;
}

export interface SseHandlers {
  onData(data: string): void;
  /** A line that belongs to no event stream. */
  onStray(line: string): void;
  onTooLong(): void;
}

/**
 * Cuts an event stream into its data lines, however the pieces fall. Each data line stands for itself: the
 * providers never spread one JSON text over several.
 */
export function createSseLines({ onData, onStray, onTooLong }: SseHandlers): SseLines {
  let pending = '';
  let isStart = true;

  function handleLine(line: string) {
    if (line.startsWith('data:')) onData(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
    else if (line !== '' && !/^(:|event|id|retry)/.test(line)) onStray(line);
  }

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

/** A byte order mark may begin a text; it is no part of its first line. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
