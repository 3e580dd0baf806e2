/** Words inside of a name that say nothing. */
const SMALL: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our']);

/** A pattern for a whole clause. */
export function clause(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'iu');
}

/** The words of a text in small letters, as they are said. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.replace(/['’]s$/u, ''),
  );
}

/** The same without articles. */
export function bareWords(text: string): string[] {
  return wordsOf(text).filter((word) => !SMALL.has(word));
}

export function isSameName(one: string, other: string): boolean {
  return bareWords(one).join(' ') === bareWords(other).join(' ');
}
