/** The candidate that a typo would turn into `word`, if there is one. */
export function findNear(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  const plain = normalize(word);
  const allowed = plain.length < 5 ? 1 : plain.length < 8 ? 2 : 3;
  const scored = candidates
    .map((candidate) => ({ candidate, distance: editDistance(plain, normalize(candidate)) }))
    .filter(({ candidate, distance }) => distance <= allowed && distance < candidate.length);
  const sharedStart = ({ candidate }: { candidate: string }) => countSharedStart(plain, normalize(candidate));
  return scored.toSorted((a, b) => a.distance - b.distance || sharedStart(b) - sharedStart(a))[0]?.candidate;
}

/** ", did you mean X?" or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = findNear(word, candidates);
  return near === undefined ? '' : `, did you mean ${near}?`;
}

function countSharedStart(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

function normalize(word: string): string {
  return word.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const best = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + cost,
        isSwap(a, b, row, column) ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
