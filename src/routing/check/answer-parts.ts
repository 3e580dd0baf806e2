/** A range of an answer's text. */
export interface Part {
  start: number;
  end: number;
}

/** A sentence or a table row, cut into segments that each state one fact. */
export interface Sentence extends Part {
  segments: Part[];
  /** A table row is one segment; commas do not split it. */
  isTableRow: boolean;
}

const SENTENCE_END = /(?<=[.!?][”"')\]]*(?:\s?\[\d{1,2}\])*)\s+(?=[\p{Lu}\p{N}“"'*(])/u;
const SEGMENT_BREAK = /,(?!\d{3}(?!\d))|[;:()–—]|\s(?:and|but|while|whereas|compared|versus|vs|then)\s/giu;

/** Splits a text into sentences, in order. The end of a line always ends a sentence. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of pieces(text, /\n/g)) {
    const words = text.slice(line.start, line.end);
    const isTableRow = /^\s*\|.*\|\s*$/.test(words);
    const parts = isTableRow
      ? [line]
      : pieces(words, new RegExp(SENTENCE_END, 'gu')).map((part) => shift(part, line.start));
    for (const part of parts) {
      const segments = isTableRow
        ? [part]
        : pieces(text.slice(part.start, part.end), SEGMENT_BREAK).map((piece) => shift(piece, part.start));
      sentences.push({ ...part, segments, isTableRow });
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
