const MAX_WORD_CHARS = 40;

/** Numbers of the pieces of a text, and where each word begins among them. */
interface PieceRow {
  ids: number[];
  firsts: number[];
}

/** Cuts words into the pieces of a vocabulary, longest piece first, as the encoder was trained with. */
export interface WordPieces {
  encode(words: readonly string[], limit: number): PieceRow;
}

export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const index = new Map(vocabulary.map((piece, id) => [piece, id]));
  const idOf = (piece: string) => index.get(piece) ?? 0;
  const [unknown, start, end] = ['[UNK]', '[CLS]', '[SEP]'].map(idOf) as [number, number, number];
  const split = (part: string): number[] => splitPart(part, index) ?? [unknown];
  return {
    encode(words, limit) {
      const ids = [start];
      const firsts: number[] = [];
      for (const word of words) {
        const pieces = partsOf(word).flatMap(split);
        if (ids.length + pieces.length >= limit) break;
        firsts.push(ids.length);
        ids.push(...(pieces.length > 0 ? pieces : [unknown]));
      }
      ids.push(end);
      return { ids, firsts };
    },
  };
}

/** Lower case without accents; punctuation marks are parts of their own. */
function partsOf(word: string): string[] {
  const plain = word
    .slice(0, MAX_WORD_CHARS)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[’‘]/g, "'");
  return plain.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function splitPart(part: string, index: ReadonlyMap<string, number>): number[] | undefined {
  const found: number[] = [];
  for (let start = 0; start < part.length; ) {
    let end = part.length;
    let id: number | undefined;
    for (; end > start; end--) {
      id = index.get((start > 0 ? '##' : '') + part.slice(start, end));
      if (id !== undefined) break;
    }
    if (id === undefined) return undefined;
    found.push(id);
    start = end;
  }
  return found;
}

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
