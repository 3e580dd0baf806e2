const MAX_HEADINGS = 3;
export const NOT_FOUND = 'I could not find this in your documents.';

/** The answer if no passage is above the floor: it names the nearest headings, so that people see what was searched. */
export function writeRefusal(headings: readonly string[]): string {
  const nearest = [...new Set(headings)].slice(0, MAX_HEADINGS);
  if (nearest.length === 0) return NOT_FOUND;
  return [NOT_FOUND, '', 'The nearest sections are:', ...nearest.map((heading) => `- ${heading}`)].join('\n');
}

/** A search that failed has found nothing, but the documents may hold the answer. */
export function writeFailure(reason: string): string {
  return `I could not search your documents: ${reason}`;
}
