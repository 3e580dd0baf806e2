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

/** The usual ways to write one name. */
export function spellingsOf(name: string): string[] {
  const words = name.split(/[-_\s]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  const lower = words.map((word) => word.toLowerCase());
  const capitals = lower.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const camel = [lower[0] ?? '', ...capitals.slice(1)].join('');
  const joined = [lower.join('_'), lower.join('-'), lower.join(''), camel, capitals.join('')];
  return [...new Set([name, ...joined, ...joined.map((spelling) => spelling.toUpperCase())])];
}
