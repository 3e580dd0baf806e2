/** A word and its place in the text. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’.:/-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;

/** Cuts a text into words and punctuation marks. "4:30", "to-do" and "it's" stay whole. */
export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}
