/** Counts the text, reasoning and arguments of a reply against `limits.reply_chars`. */
export interface ReplyMeter {
  /** Returns the part of the text that still fits. */
  take(text: string): string;
  /** Counts content that is kept whole. */
  count(chars: number): void;
  /** True if more has arrived than fits: the reply ends as `length`. */
  isOver(): boolean;
}

export function createReplyMeter(maxChars = Number.POSITIVE_INFINITY): ReplyMeter {
  let room = maxChars;
  let isOver = false;
  return {
    take(text) {
      const fits = text.length <= room ? text : text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
      isOver ||= text.length > room;
      room = Math.max(0, room - text.length);
      return fits;
    },
    count(chars) {
      isOver ||= chars > room;
      room = Math.max(0, room - chars);
    },
    isOver: () => isOver,
  };
}
