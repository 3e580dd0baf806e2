import type { DatabaseSync } from 'node:sqlite';
import { readAtOnce } from '../index/open-index.ts';
import { toTerms } from '../index/terms.ts';
import type { Visibility } from '../index/visible.ts';
import type { OpenedPassage, ReadOptions } from '../knowledge.ts';
import { PASSAGE_COLUMNS, toCandidate } from './find-candidates.ts';
import { joinTexts, toPassage } from './join-neighbours.ts';
import type { Candidate } from './rank.ts';

const MAX_CHARS = 20_000;

export interface Place extends ReadOptions {
  document: string;
  start: number;
  end: number;
}

/**
 * Opens the text at a place of a document. If the file has changed since the version of a citation, the place means
 * nothing any more: the passage that is nearest to the quote is opened instead. A document that the user may not see is
 * treated like one that does not exist.
 */
export function openPassage(
  database: DatabaseSync,
  { document, start, end, groups, version, quote }: Place,
  visibility: Visibility,
): OpenedPassage | undefined {
  return readAtOnce(database, () => {
    const visible = visibility.condition(groups);
    const rows = database
      .prepare(
        `SELECT ${PASSAGE_COLUMNS} FROM documents d JOIN passages p ON p.document = d.id
         WHERE d.path = ? ${visible ? `AND p.${visible.sql}` : ''} ORDER BY p.start`,
      )
      .all(document, ...(visible ? [visible.parameter] : []));
    const passages = rows.map((row) => toCandidate(row, 0));
    const isCurrent = version === undefined || passages[0]?.version === version;
    const opened = isCurrent
      ? sliceOf(passages, start, Math.min(end, start + MAX_CHARS))
      : nearestTo(passages, quote, start);
    return opened && { passage: toPassage(opened), isCurrent };
  });
}

/** The exact slice, put together from the passages that hold it; undefined if the document has no such place. */
function sliceOf(passages: readonly Candidate[], start: number, end: number): Candidate | undefined {
  const [first, ...rest] = passages.filter((passage) => passage.start < end && passage.end > start);
  if (!first || end <= start) return undefined;
  const whole = { ...first };
  for (const next of rest) Object.assign(whole, { text: joinTexts(whole, next), end: next.end });
  const from = Math.max(start, whole.start);
  const to = Math.min(end, whole.end);
  return { ...whole, start: from, end: to, text: whole.text.slice(from - whole.start, to - whole.start) };
}

function nearestTo(passages: readonly Candidate[], quote = '', start: number): Candidate | undefined {
  const wanted = new Set(toTerms(quote));
  const shared = (passage: Candidate) => new Set(passage.terms.split(' ').filter((term) => wanted.has(term))).size;
  // The distance decides between passages with equally many words.
  const rate = (passage: Candidate) => shared(passage) - Math.abs(passage.start - start) / 1e9;
  const rated = passages.map((passage) => ({ passage, rate: rate(passage) }));
  return rated.sort((a, b) => b.rate - a.rate)[0]?.passage;
}
