/** Completions for the end of a text. */
export interface Completion {
  /** Start of the part that the candidates replace. */
  start: number;
  candidates: string[];
}

export type Completer = (text: string) => Completion;

/** The text after Tab, and the choices to show if there are several. */
export function completeText(text: string, complete: Completer): { text: string; choices: string[] } {
  const { start, candidates } = complete(text);
  const [first, ...others] = candidates;
  if (first === undefined) return { text, choices: [] };
  const shared = others.reduce(sharedStart, first);
  const completed = text.slice(0, start) + (shared.length > text.length - start ? shared : text.slice(start));
  return others.length === 0 ? { text: completed, choices: [] } : { text: completed, choices: candidates };
}

function sharedStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
