import type { Citation } from '../../../src/schema/conversation/turn.ts';

/** Characters that are shown around a cited passage. */
const AROUND = 600;
/** The longest quote that the server takes. */
const QUOTE_CHARS = 2_000;

export interface PassagePlace {
  knowledge: string;
  document: string;
  start: number;
  end?: number;
  /** Headings and page of the place itself: the text around it begins earlier, maybe under another heading. */
  breadcrumb?: readonly string[];
  page?: number | undefined;
}

/** The address of a passage with some text around it; that of a citation also names its version and quote. */
export function passagePath(base: string, place: PassagePlace | Citation): string {
  const query = new URLSearchParams({ knowledge: place.knowledge, start: String(Math.max(0, place.start - AROUND)) });
  if (place.end !== undefined) query.set('end', String(place.end + AROUND));
  if ('version' in place) query.set('version', place.version);
  if ('quote' in place) query.set('quote', place.quote.slice(0, QUOTE_CHARS));
  return `${base}/${encodeURIComponent(place.document)}?${query}`;
}

/** The text before, inside and after a place of a document, of which `text` begins at `start`. */
export function splitPassage(
  text: string,
  start: number,
  place: { start: number; end?: number },
): [string, string, string] {
  if (place.end === undefined) return [text, '', ''];
  const from = Math.max(0, place.start - start);
  const to = Math.max(from, place.end - start);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
