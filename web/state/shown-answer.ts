/** Heading of the list with which the built-in model ends an answer; the page shows the same questions as buttons. */
const NEXT_STEPS = /\n+\*\*Suggested next steps\*\*\n+((?:- [^\n]*\n?)*)$/;
/** The same list while it is still arriving. */
const OPEN_NEXT_STEPS = /\n+\*\*(?:S(?:u(?:g(?:g(?:e(?:s(?:t(?:e(?:d.*)?)?)?)?)?)?)?)?)?$/s;

/** The answer without the questions that are shown as buttons below it. */
export function shownAnswer(text: string, suggestions: readonly string[], isOpen: boolean): string {
  const found = NEXT_STEPS.exec(text);
  if (found) {
    const items = (found[1] ?? '').split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []));
    if (isOpen || (items.length > 0 && items.every((item) => suggestions.includes(item))))
      return text.slice(0, found.index);
  }
  if (!isOpen) return text;
  const open = text.lastIndexOf('\n\n**Sugg');
  return open >= 0 && OPEN_NEXT_STEPS.test(text.slice(open)) ? text.slice(0, open) : text;
}
