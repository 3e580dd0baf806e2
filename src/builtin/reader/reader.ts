import { readFileSync } from 'node:fs';
import { contentStems, isOneTypoAway, stem } from '../../language/words.ts';
import { createEncoder, MAX_PIECES, readTables, type TableIndex } from './encoder.ts';
import { type Reading, toReading } from './reading.ts';
import { createWordPieces, splitWords } from './word-pieces.ts';

/** Shorter words are too common to be taken for a misspelt word of a title. */
const MIN_TYPO_CHARS = 5;

/** For each word 1 if it is a word of one of the titles, otherwise 0. */
export function flagKnown(words: readonly string[], titles: readonly string[]): number[] {
  const stems = new Set(titles.flatMap((title) => contentStems(title)));
  const long = [...stems].filter((word) => word.length >= MIN_TYPO_CHARS);
  return words.map((word) => {
    const [own] = contentStems(word);
    if (own === undefined) return 0;
    if (stems.has(own) || stems.has(stem(word.toLowerCase()))) return 1;
    return own.length >= MIN_TYPO_CHARS && long.some((other) => isOneTypoAway(own, other)) ? 1 : 0;
  });
}

const FOLDER = new URL('./data/', import.meta.url);

/** Reads the trained reader: its tables, its vocabulary and the kernel. */
export function readFiles(folder: URL = FOLDER): ReaderFiles {
  const read = (name: string) => readFileSync(new URL(name, folder));
  const { index, pieces } = JSON.parse(read('reader.json').toString('utf8'));
  return { tables: new Uint8Array(read('reader.bin')), index, pieces, kernel: read('encoder-kernel.wasm') };
}

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
