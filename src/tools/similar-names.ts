/** Reduces a name to the letters that a quick reader compares: no case, no separators, no invisible characters. */
export function toComparableName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}\p{M}]/gu, '');
}

export function isSimilarName(name: string, other: string): boolean {
  return name !== other && toComparableName(name) === toComparableName(other);
}
