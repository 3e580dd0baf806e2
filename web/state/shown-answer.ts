/** Heading of the list with which the built-in model ends an answer; the page shows the same questions as buttons. */
const HEADING = '\n**Suggested next steps**\n';
/** The same list while it is still arriving. */
const OPEN_NEXT_STEPS = /^\n+\*\*(?:S(?:u(?:g(?:g(?:e(?:s(?:t(?:e(?:d.*)?)?)?)?)?)?)?)?)?$/s;

/** The answer without the questions that are shown as buttons below it. */
export function shownAnswer(text: string, suggestions: readonly string[], isOpen: boolean): string {
  const heading = text.lastIndexOf(HEADING);
  if (heading >= 0) {
    const items = itemsOf(text.slice(heading + HEADING.length));
    const isShown = items?.every((item) => suggestions.includes(item)) && items.length > 0;
    if (items && (isOpen || isShown)) return text.slice(0, heading).trimEnd();
  }
  if (!isOpen) return text;
  const open = text.lastIndexOf('\n\n**Sugg');
  return open >= 0 && OPEN_NEXT_STEPS.test(text.slice(open)) ? text.slice(0, open) : text;
}

/** Undefined if the text is something else than a list. */
function itemsOf(text: string): string[] | undefined {
  const lines = text.replace(/^\n+|\n$/g, '').split('\n');
  if (lines.every((line) => line.startsWith('- '))) return lines.map((line) => line.slice(2).trim());
  return text.trim() === '' ? [] : undefined;
}
