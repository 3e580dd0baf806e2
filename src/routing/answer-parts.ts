/** A stretch of an answer. */
export interface Part {
  start: number;
  end: number;
}

/** One sentence or table row, cut into the pieces that say one thing each. */
export interface Sentence extends Part {
  segments: Part[];
  /** Which line of the text it stands in. */
  line: number;
  /** Rows of a table say one thing of one thing, whatever commas they hold. */
  isTableRow: boolean;
}

const SENTENCE_END = /(?<=[.!?][”"')\]]*(?:\s?\[\d{1,2}\])*)\s+(?=[\p{Lu}\p{N}“"'*(])/u;
const SEGMENT_BREAK = /[,;:()–—]|\s(?:and|but|while|whereas|compared|versus|vs|then)\s/giu;

/** The sentences of a text in order; a line end always ends one. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const [number, line] of pieces(text, /\n/g).entries()) {
    const words = text.slice(line.start, line.end);
    const isTableRow = /^\s*\|.*\|\s*$/.test(words);
    const parts = isTableRow
      ? [line]
      : pieces(words, new RegExp(SENTENCE_END, 'gu')).map((part) => shift(part, line.start));
    for (const part of parts) {
      const segments = isTableRow
        ? [part]
        : pieces(text.slice(part.start, part.end), SEGMENT_BREAK).map((piece) => shift(piece, part.start));
      sentences.push({ ...part, segments, line: number, isTableRow });
    }
  }
  return sentences;
}

function pieces(text: string, separator: RegExp): Part[] {
  const found: Part[] = [];
  let start = 0;
  for (const match of text.matchAll(separator)) {
    found.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  return [...found, { start, end: text.length }].filter((part) => text.slice(part.start, part.end).trim() !== '');
}

function shift({ start, end }: Part, by: number): Part {
  return { start: start + by, end: end + by };
}

export function isInside(part: Part, whole: Part): boolean {
  return part.start >= whole.start && part.end <= whole.end;
}
