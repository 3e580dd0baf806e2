import type { KnowledgeEntry } from '../../schema/knowledge/entry.ts';
import type { OpenFile } from '../index/index-file.ts';
import { readAtOnce } from '../index/open-index.ts';
import type { Groups, NearHeading, SearchResult } from '../knowledge.ts';
import { findCandidates, rarityOf, readPassages } from './find-candidates.ts';
import { joinNeighbours, toPassage } from './join-neighbours.ts';
import { compare, type Ranked, rank } from './rank.ts';
import { readQuestion } from './read-question.ts';
import type { NearPassage } from './vector-search.ts';

/** The least share of a question that a passage must cover. A long question meets more of its words by chance. */
const FLOORS = { short: 0.25, long: 0.36 };
const LONG_QUESTION = 8;
const NEAR_HEADINGS = 3;

export interface IndexSearch {
  groups: Groups;
  topK: number;
  entry: KnowledgeEntry;
  /** Passages that vectors found, best first. */
  near?: readonly NearPassage[] | undefined;
}

/** Searches the index as it is now, in one transaction. */
export function searchIndex({ database, visibility }: OpenFile, query: string, options: IndexSearch): SearchResult {
  const { groups, topK, entry, near = [] } = options;
  const question = readQuestion(query);
  const usual = question.subject.length < LONG_QUESTION ? FLOORS.short : FLOORS.long;
  const { floor = usual, min_similarity: least } = entry;
  if (question.terms.length === 0) return { hits: [], isFound: false, headings: [] };
  return readAtOnce(database, () => {
    const rarity = rarityOf(question.terms, database);
    const visible = visibility.condition(groups);
    const byWords = rank(findCandidates(database, question, { rarity, ...(visible && { visible }) }), question, rarity);
    const byVectors = rankNear(rank(readPassages(database, near, visible), question, rarity), near);
    const ranked = joinNeighbours(fuse(byWords, byVectors, entry), topK);
    const hits = ranked.map(({ candidate, score, support, cosine }) => ({
      passage: toPassage(candidate),
      score,
      support,
      ...(cosine !== undefined && { similarity: cosine }),
      isAboveFloor: support >= floor || (cosine !== undefined && cosine >= least),
    }));
    const headings = nearHeadings(hits.map(({ passage }) => passage));
    return { hits, isFound: hits.some(({ isAboveFloor }) => isAboveFloor), headings };
  });
}

/** In the order of the vectors. A passage whose text has changed since they were compared is left out. */
function rankNear(ranked: readonly Ranked[], near: readonly NearPassage[]): Ranked[] {
  const byId = new Map(ranked.map((one) => [one.candidate.id, one]));
  return near.flatMap(({ id, hash, cosine }) => {
    const one = byId.get(id);
    return one?.candidate.hash === hash ? [{ ...one, cosine }] : [];
  });
}

/** Different places of the best passages. */
function nearHeadings(passages: readonly NearHeading[]): NearHeading[] {
  const places = passages.map(({ document, title, breadcrumb }) => ({ document, title, breadcrumb }));
  const byText = new Map(places.map((place) => [[place.document, ...place.breadcrumb].join('\n'), place]));
  return [...byText.values()].slice(0, NEAR_HEADINGS);
}

type Weights = Pick<KnowledgeEntry, 'search_mode' | 'semantic_weight' | 'keyword_weight' | 'rrf_k'>;

/** Joins two lists by reciprocal ranks: each gives a passage its weight, divided by its place in it plus `rrf_k`. */
function fuse(byWords: readonly Ranked[], byVectors: readonly Ranked[], weights: Weights): Ranked[] {
  if (byVectors.length === 0) return [...byWords];
  const { search_mode, semantic_weight, keyword_weight, rrf_k } = weights;
  const all = new Map<number, Ranked>();
  const add = (list: readonly Ranked[], weight: number) => {
    for (const [at, one] of list.entries()) {
      const { score = 0 } = all.get(one.candidate.id) ?? {};
      all.set(one.candidate.id, { ...one, score: score + weight / (rrf_k + at + 1) });
    }
  };
  if (search_mode === 'hybrid') add(byWords, keyword_weight);
  add(byVectors, semantic_weight);
  return [...all.values()].sort((a, b) => b.score - a.score || compare(a.candidate, b.candidate));
}
