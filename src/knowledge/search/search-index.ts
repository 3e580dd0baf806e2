import type { DatabaseSync } from 'node:sqlite';
import type { Visibility } from '../index/visible.ts';
import type { Groups, NearHeading, SearchResult } from '../knowledge.ts';
import { findCandidates, rarityOf } from './find-candidates.ts';
import { joinNeighbours, toPassage } from './join-neighbours.ts';
import { rank } from './rank.ts';
import { readQuestion } from './read-question.ts';

/**
 * The least share of a question that a passage must cover. Measured with `eval-knowledge.ts`: questions of SciFact
 * against the documents of Cranfield and the reverse are mostly below, nineteen of twenty of their own are above.
 */
export const DEFAULT_FLOOR = 0.36;
const NEAR_HEADINGS = 3;

export interface IndexSearch {
  groups: Groups;
  topK: number;
  floor: number;
  visibility: Visibility;
}

/** Searches the index as it is now, in one transaction. */
export function searchIndex(database: DatabaseSync, query: string, options: IndexSearch): SearchResult {
  const { groups, topK, floor, visibility } = options;
  const question = readQuestion(query);
  if (question.terms.length === 0) return { hits: [], isFound: false, headings: [] };
  database.exec('BEGIN');
  try {
    const rarity = rarityOf(question.terms, database);
    const visible = visibility.condition(groups);
    const found = findCandidates(database, question, { rarity, ...(visible && { visible }) });
    const ranked = joinNeighbours(rank(found, question, rarity), topK);
    const hits = ranked.map(({ candidate, score, support }) => ({
      passage: toPassage(candidate),
      score,
      support,
      isAboveFloor: support >= floor,
    }));
    const headings = nearHeadings(hits.map(({ passage }) => passage));
    return { hits, isFound: hits.some(({ isAboveFloor }) => isAboveFloor), headings };
  } finally {
    database.exec('COMMIT');
  }
}

/** Different places of the best passages. */
function nearHeadings(passages: readonly NearHeading[]): NearHeading[] {
  const places = passages.map(({ document, title, breadcrumb }) => ({ document, title, breadcrumb }));
  const byText = new Map(places.map((place) => [[place.document, ...place.breadcrumb].join('\n'), place]));
  return [...byText.values()].slice(0, NEAR_HEADINGS);
}
