import { beginOf, type MarkKind, type MessageLabel } from '../../../../src/builtin/reader/labels.ts';
import { splitWords } from '../../../../src/builtin/reader/word-pieces.ts';

/** A piece of a message; `none` is outside of every mark. */
export interface Piece {
  text: string;
  tag: MarkKind | 'none';
}

/** A message with its truth. Without `roles` only the labels are known. */
export interface Example {
  words: string[];
  labels: MessageLabel[];
  roles?: number[];
  /** For each word 1 if it is a word of one of the user's tasks. */
  flags: number[];
}

/** Joins pieces; a word gets the role of the piece that it begins in. */
export function joinPieces(pieces: readonly Piece[]): { text: string; words: string[]; roles: number[] } {
  const text = pieces.map((piece) => piece.text).join('');
  const ends: number[] = [];
  let end = 0;
  for (const piece of pieces) {
    end += piece.text.length;
    ends.push(end);
  }
  const words = splitWords(text);
  let last = -1;
  const roles = words.map(({ start }) => {
    const at = ends.findIndex((limit) => start < limit);
    const tag = pieces[at]?.tag ?? 'none';
    const isFirst = at !== last;
    last = at;
    return tag === 'none' ? 0 : beginOf(tag) + (isFirst ? 0 : 1);
  });
  return { text, words: words.map((word) => word.text), roles };
}
