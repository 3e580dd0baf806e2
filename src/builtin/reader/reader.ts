import { createEncoder, MAX_PIECES } from './encoder.ts';
import { readTables, type TableIndex } from './encoder-tables.ts';
import { flagKnown } from './known-words.ts';
import { type Reading, toReading } from './reading.ts';
import { createWordPieces, splitWords } from './word-pieces.ts';

/** Reads a message in view of the titles of the user's tasks. The same input always gives the same reading. */
export interface Reader {
  /** Undefined for a message that is too long to be read whole. */
  read(text: string, titles: readonly string[]): Reading | undefined;
}

export interface ReaderFiles {
  tables: Uint8Array;
  index: TableIndex;
  pieces: readonly string[];
  kernel: Uint8Array;
}

export function createReader({ tables, index, pieces, kernel }: ReaderFiles): Reader {
  const encoder = createEncoder(readTables(tables, index), kernel);
  const wordPieces = createWordPieces(pieces);
  return {
    read(text, titles) {
      const words = splitWords(text).map((word) => word.text);
      const { ids, firsts } = wordPieces.encode(words, MAX_PIECES);
      if (firsts.length < words.length) return undefined;
      const flags = flagKnown(words, titles);
      const known = firsts.filter((_, at) => flags[at] === 1);
      return toReading(text, encoder.run(ids, known), firsts);
    },
  };
}
