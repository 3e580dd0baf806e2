import { Lexer, type Token, type TokensList } from 'marked';

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

/** Steps that one slice may cost; a million takes about 40 ms. */
const MAX_STEPS = 1_000_000;
/** Lists of blocks that one slice may have: an item of a list has one. */
const MAX_LISTS = 600;
/** Quotes and lists within each other. */
const MAX_DEPTH = 20;
const DELIMITERS = /[*_~`[\]<!\\]/g;

/** A lexer whose work is bounded for every text of a model. The part that would cost more is shown as it is written. */
export class BoundedLexer extends Lexer {
  #stepsLeft = MAX_STEPS;
  #listsLeft = MAX_LISTS;
  #depth = 0;

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    this.#stepsLeft -= estimateSteps(source);
    if (this.#stepsLeft >= 0) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
    return tokens;
  }

  override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.#depth >= MAX_DEPTH || --this.#listsLeft < 0) {
      const text: Token = { type: 'text', raw: source, text: source };
      tokens.push({ type: 'paragraph', raw: source, text: source, tokens: [text] });
      return tokens;
    }
    this.#depth++;
    const read = super.blockTokens(source, tokens, isClipped);
    this.#depth--;
    return read;
  }
}

/** The lexer reads the rest of a text again at each delimiter, and the rest of a word at each letter before an `@`. */
function estimateSteps(source: string): number {
  const delimiters = source.match(DELIMITERS)?.length ?? 0;
  const words = source.includes('@') ? source.split(/\s+/).filter((word) => word.includes('@')) : [];
  return delimiters * source.length + words.reduce((sum, { length }) => sum + length * length, 0);
}
