/** What stays of a name when a reader does not look closely: no case, no separators, no invisible characters. */
export function lookOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}\p{M}]/gu, '');
}

export function isLookAlike(name: string, other: string): boolean {
  return name !== other && lookOf(name) === lookOf(other);
}
