import { type Block, countWords } from './blocks.ts';

/** Abbreviations, and the number of an item or a heading. */
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Z]|e\.g|i\.e|etc|vs|cf|al|Fig|No|Nr|Dr|Mr|Mrs|Ms|Prof|St|approx|ca|bzw|z\.B)\.$|\n\s*\d{1,2}\.$/;

/** Splits a block that is too long: text between sentences, tables and code between lines. Offsets stay exact. */
export function splitBlock(block: Block, text: string, maxWords: number): Block[] {
  if (block.words <= maxWords && block.end - block.start <= MAX_CHARS) return [block];
  const whole = { ...block, origin: block.start };
  const ends = block.kind === 'text' ? sentenceEnds(text, block) : lineEnds(text, block);
  const pieces: Block[] = [];
  let start = block.start;
  let words = 0;
  let from = block.start;
  for (const end of ends) {
    const more = countWords(text.slice(from, end));
    if (words > 0 && words + more > maxWords) {
      pieces.push({ ...whole, start, end: trimEnd(text, start, from), words });
      start = skipSpace(text, from);
      words = 0;
    }
    words += more;
    from = end;
  }
  if (words > 0) pieces.push({ ...whole, start, end: trimEnd(text, start, block.end), words });
  return pieces.flatMap((piece) => splitEndless(piece, text));
}

/** A text without sentence or line ends, such as a minified file, is split between words, else between characters. */
export const MAX_CHARS = 8_000;

function splitEndless(block: Block, text: string): Block[] {
  if (block.end - block.start <= MAX_CHARS) return [block];
  const pieces: Block[] = [];
  for (let start = block.start; start < block.end; ) {
    let end = Math.min(start + MAX_CHARS, block.end);
    const space = end < block.end ? text.lastIndexOf(' ', end) : -1;
    if (space > start + MAX_CHARS / 2) end = space;
    else if (end < block.end && /[\ud800-\udbff]/.test(text[end - 1] ?? '')) end--;
    pieces.push({ ...block, start, end: trimEnd(text, start, end), words: countWords(text.slice(start, end)) });
    start = skipSpace(text, end);
  }
  return pieces;
}

/** The ends of sentences in a block, each after its punctuation. Abbreviations and numbers end none. */
export function sentenceEnds(text: string, { start, end }: Pick<Block, 'start' | 'end'>): number[] {
  const ends: number[] = [];
  const part = text.slice(start, end);
  for (const match of part.matchAll(
    /[.!?…]["'”’)\]]*(?=\s+["'“‘([]?[\p{Lu}\p{N}*_`])|[。！？]|\n(?=\s*(?:[-*+•]|\d+[.)])\s)/gu,
  )) {
    const at = match.index + match[0].length;
    if (match[0].startsWith('.') && ABBREVIATION.test(part.slice(Math.max(0, at - 10), match.index + 1))) continue;
    ends.push(start + at);
  }
  if (ends.at(-1) !== end) ends.push(end);
  return ends;
}

function lineEnds(text: string, { start, end }: Block): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) ends.push(at + 1);
  return [...ends, end];
}

function trimEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}
