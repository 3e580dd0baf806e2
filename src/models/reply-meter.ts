/** Counts what a reply holds (text, reasoning, arguments) against `limits.reply_chars`. */
export interface ReplyMeter {
  /** The part of the text that still fits. */
  take(text: string): string;
  /** Counts what is kept whole. */
  count(chars: number): void;
  /** More has come than fits: the reply ends as `length`. */
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
