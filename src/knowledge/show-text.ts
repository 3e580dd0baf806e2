import type { BuildProgress, BuildReport, KnowledgeStatus, SearchResult } from './knowledge.ts';

/** Knowledge as lines of text, for terminals and logs. */

export function progressText({ done, total, document, isWaiting }: BuildProgress): string {
  if (isWaiting) return 'another process builds; waiting for it';
  return `${done} of ${total} documents ${document ?? ''}`.trimEnd();
}

export function reportText(name: string, { read, removed, unchanged, passages, rebuilt }: BuildReport): string {
  const again = rebuilt ? `; the index was built again: ${rebuilt}` : '';
  return `${name}: ${read} read, ${removed} removed, ${unchanged} unchanged, ${passages} passages${again}`;
}

export function statusText(
  name: string,
  { documents, passages, builtAt = 'never', building }: KnowledgeStatus,
): string {
  const now = building ? `; a build runs: ${progressText(building)}` : '';
  return `${name}: ${documents.length} documents, ${passages} passages, built ${builtAt}${now}`;
}

/** A line for each document that was not read as a whole, and for what was left out. */
export function problemLines({ documents, remarks }: KnowledgeStatus): string[] {
  const faulty = documents.filter(({ state }) => state !== 'read');
  return [
    ...faulty.map(({ document, reason, state }) => `  ${state}: ${document} ${reason}`),
    ...remarks.map((text) => `  ${text}`),
  ];
}

const SHOWN_CHARS = 300;

export function resultText({ hits, isFound }: SearchResult): string {
  const found = hits.map(({ passage, support, similarity, isAboveFloor }, index) => {
    const { document, title, page, breadcrumb, start, end, text } = passage;
    const place = `${document}${page === undefined ? '' : `, page ${page}`}, ${start}–${end}`;
    const like = similarity === undefined ? '' : `, similarity ${similarity.toFixed(2)}`;
    const mark = isAboveFloor ? like : `${like}, below the floor`;
    const head = `${index + 1}. ${[title, ...breadcrumb].join(' › ')}`;
    return `${head}\n   ${place} (covers ${Math.round(support * 100)} %${mark})\n   ${shorten(text)}`;
  });
  return [...(isFound ? [] : ['Nothing in the documents answers this.']), ...found].join('\n');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}
