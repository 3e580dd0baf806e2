import type { Token } from 'marked';
import { BoundedLexer } from './bounded-lexer.ts';

/** A top-level piece of Markdown and its place in the source. */
export interface Block {
  token: Token;
  start: number;
}

export interface Blocks {
  source: string;
  blocks: readonly Block[];
}

/** Text that is still to come can change at most the last two pieces: a list that grows, a heading that gets its line. */
const OPEN_BLOCKS = 2;

/** Reads Markdown. If `before` is the start of the same text, only its last pieces are read again. */
export function readBlocks(text: string, before?: Blocks): Blocks {
  const source = text.replace(/\r\n|\r/g, '\n');
  const kept = before && source.startsWith(before.source) ? before.blocks.slice(0, -OPEN_BLOCKS) : [];
  const last = kept.at(-1);
  const start = last ? last.start + last.token.raw.length : 0;
  return { source, blocks: [...kept, ...readFrom(source, start)] };
}

function readFrom(source: string, start: number): Block[] {
  let place = start;
  return new BoundedLexer({ gfm: true, breaks: false }).lex(source.slice(start)).map((token) => {
    const block = { token, start: place };
    place += token.raw.length;
    return block;
  });
}
