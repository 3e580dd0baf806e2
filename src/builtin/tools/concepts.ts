import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import { readTable } from './tables.ts';

interface Concepts {
  /** The lines of the table that have a stem. */
  ids: ReadonlyMap<string, readonly number[]>;
  sizes: readonly number[];
}

let concepts: Concepts | undefined;

/** A line of the table is one concept: words that speak of the same thing or act in requests. */
function readConcepts(): Concepts {
  if (concepts) return concepts;
  const lines = readTable('concepts');
  const ids = new Map<string, number[]>();
  for (const [index, line] of lines.entries())
    for (const root of new Set(line.split(' ').map(stem))) ids.set(root, [...(ids.get(root) ?? []), index]);
  concepts = { ids, sizes: lines.map((line) => line.split(' ').length) };
  return concepts;
}

const NONE: readonly number[] = [];
/** The similarity of two words of one concept. */
const ALIKE = 0.85;

/** The concepts that a word speaks of. */
function conceptsOf(word: string): readonly number[] {
  return readConcepts().ids.get(stem(word)) ?? NONE;
}

/** True for a word that a concept knows. */
function hasConcept(word: string): boolean {
  return conceptsOf(word).length > 0;
}

/** True if two words speak of the same thing. */
export function sharesConcept(a: string, b: string): boolean {
  const own = conceptsOf(a);
  return own.length > 0 && conceptsOf(b).some((id) => own.includes(id));
}

/** True if a value is known as another thing than an argument's words name: "the garage door" is no room. */
export function isOtherThing(value: string, words: readonly string[]): boolean {
  const head = value.split(/\s+(?:for|of|with|in|at|on|from)\s/)[0] ?? value;
  const last = /(\S+)$/.exec(head)?.[1]?.toLowerCase() ?? '';
  return hasConcept(last) && words.some(hasConcept) && !words.some((word) => sharesConcept(word, last));
}

/** How closely two words are related, 0 to 1: a concept of few words says more than one of many. */
export function conceptStrength(a: string, b: string): number {
  const own = conceptsOf(a);
  return Math.max(0, ...conceptsOf(b).flatMap((id) => (own.includes(id) ? 1 / (readConcepts().sizes[id] ?? 1) : [])));
}

/**
 * Word vectors that know the concepts, too: two words of one concept are alike. Made for one message: each pair of words
 * is compared once.
 */
export function withConcepts(vectors: WordVectors): WordVectors {
  const known = new Map<string, readonly number[]>();
  const read = (word: string) => {
    const found = known.get(word) ?? conceptsOf(word);
    known.set(word, found);
    return found;
  };
  const compare = (a: string, b: string) => {
    const near = vectors.similarity(a, b);
    return near < ALIKE && read(a).some((id) => read(b).includes(id)) ? ALIKE : near;
  };
  const compared = new Map<string, Map<string, number>>();
  return {
    ...vectors,
    similarity(a, b) {
      const row = compared.get(a) ?? new Map<string, number>();
      if (row.size === 0) compared.set(a, row);
      const score = row.get(b) ?? compare(a, b);
      row.set(b, score);
      return score;
    },
  };
}
