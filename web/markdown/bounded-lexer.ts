import { Lexer, type Token, type TokensList } from 'marked';

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
