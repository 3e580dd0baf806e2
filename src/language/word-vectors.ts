import { readFileSync } from 'node:fs';

const VECTOR_SIZE = 256;
const MAX_WORD_CHARS = 40;
const MAX_CACHED_WORDS = 5_000;

/** Vectors of word pieces, stored as int8 rows with one scale each. */
export interface WordVectors {
  /** The sum of the word's pieces; undefined if a piece is unknown. */
  vectorOf(word: string): Float32Array | undefined;
  /** True for a word that is common enough to be a piece of its own. */
  isWord(word: string): boolean;
  /** The cosine of two words; 0 if either is unknown. */
  similarity(a: string, b: string): number;
}

/** Reads the committed tables (about 7 MB). Vectors of words are computed on first use. */
export function loadWordVectors(folder: URL = new URL('./data/', import.meta.url)): WordVectors {
  const pieces: string[] = JSON.parse(readFileSync(new URL('word-pieces.json', folder), 'utf8'));
  const rows = new Int8Array(readFileSync(new URL('word-vectors.int8', folder)));
  const scaleBytes = readFileSync(new URL('word-vectors.scale.f32', folder));
  const scales = new Float32Array(
    scaleBytes.buffer.slice(scaleBytes.byteOffset, scaleBytes.byteOffset + scaleBytes.byteLength),
  );
  const index = new Map(pieces.map((piece, row) => [piece, row]));
  return cacheVectors(
    (word) => sumRows(splitWord(word, index), rows, scales),
    (word) => index.has(word),
  );
}

/** Caches vectors; a full cache is cleared. */
function cacheVectors(
  make: (word: string) => Float32Array | undefined,
  isWord: (word: string) => boolean,
): WordVectors {
  const vectors = new Map<string, Float32Array | undefined>();
  const units = new Map<string, Float32Array | undefined>();
  const remember = (cache: Map<string, Float32Array | undefined>, word: string, value: Float32Array | undefined) => {
    if (cache.size >= MAX_CACHED_WORDS) cache.clear();
    cache.set(word, value);
    return value;
  };
  const vectorOf = (word: string) => (vectors.has(word) ? vectors.get(word) : remember(vectors, word, make(word)));
  const unitOf = (word: string) => (units.has(word) ? units.get(word) : remember(units, word, toUnit(vectorOf(word))));
  return {
    vectorOf,
    isWord,
    similarity(a, b) {
      const left = unitOf(a);
      const right = unitOf(b);
      return left && right ? dot(left, right) : 0;
    },
  };
}

function toUnit(vector: Float32Array | undefined): Float32Array | undefined {
  const length = vector ? Math.sqrt(dot(vector, vector)) : 0;
  return vector && length > 0 ? vector.map((value) => value / length) : undefined;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < VECTOR_SIZE; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Takes the longest piece first, like the encoder that produced the vectors. */
function splitWord(word: string, index: ReadonlyMap<string, number>): number[] {
  const found: number[] = [];
  const text = word.slice(0, MAX_WORD_CHARS);
  for (let start = 0; start < text.length; ) {
    let end = text.length;
    let row: number | undefined;
    for (; end > start && row === undefined; end--) row = index.get((start > 0 ? '##' : '') + text.slice(start, end));
    if (row === undefined) return [];
    found.push(row);
    start = end + 1;
  }
  return found;
}

function sumRows(found: readonly number[], rows: Int8Array, scales: Float32Array): Float32Array | undefined {
  if (found.length === 0) return undefined;
  const sum = new Float32Array(VECTOR_SIZE);
  for (const row of found) {
    const scale = scales[row] ?? 0;
    for (let at = 0; at < VECTOR_SIZE; at++) sum[at] = (sum[at] ?? 0) + (rows[row * VECTOR_SIZE + at] ?? 0) * scale;
  }
  return sum;
}
