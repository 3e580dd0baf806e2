import type { DatabaseSync } from 'node:sqlite';
import { type Candidate, type Rarity, WEIGHTS } from './rank.ts';
import type { Question } from './read-question.ts';

/** Passages that are ranked again by neighbours and phrases. */
const CANDIDATES = 100;
/** Terms in half of the passages are not searched for if the question has one that is in less than a twentieth. */
const COMMON = Math.log(2);
const RARE = Math.log(20);

/** How rare each term is, as in BM25: the logarithm of passages per passage that holds it. */
export function rarityOf(terms: readonly string[], database: DatabaseSync): Rarity {
  const total = Number(database.prepare('SELECT count(*) AS n FROM passages').get()?.n);
  const count = database.prepare('SELECT doc FROM terms WHERE term = ?');
  const rarity = (holding: number) => Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  const counts = terms.map((term): [string, number] => [term, Number(count.get(term)?.doc ?? 0)]);
  const known = counts.filter(([, holding]) => holding > 0).map(([term, holding]) => [term, rarity(holding)] as const);
  return { known: new Map(known), unknown: rarity(0) / 2 };
}

interface FindOptions {
  rarity: Rarity;
  /** A condition on the column `document` of passages, with its parameter. */
  visible?: { sql: string; parameter: string };
}

/** The best passages by BM25. Equal scores are never separated by the limit, because rows have no stable order. */
export function findCandidates(
  database: DatabaseSync,
  question: Question,
  { rarity, visible }: FindOptions,
): Candidate[] {
  const match = toMatch(question, rarity);
  if (match === '') return [];
  const join = visible ? 'JOIN passages p ON p.id = words.rowid' : '';
  const statement = database.prepare(
    `SELECT words.rowid AS id, bm25(words, ${WEIGHTS.title}, ${WEIGHTS.headings}, ${WEIGHTS.body}) AS score
     FROM words ${join} WHERE words MATCH ? ${visible ? `AND p.${visible.sql}` : ''} ORDER BY score LIMIT ?`,
  );
  for (let limit = CANDIDATES * 2; ; limit *= 8) {
    const rows = statement.all(match, ...(visible ? [visible.parameter] : []), limit);
    const last = rows.length < limit ? undefined : rows.at(-1)?.score;
    const edge = rows[CANDIDATES - 1]?.score;
    if (last !== undefined && last === edge) continue;
    const kept = rows.filter((row) => edge === undefined || Number(row.score) <= Number(edge));
    const wanted = kept.map((row) => ({ id: Number(row.id), score: -Number(row.score) }));
    return readPassages(database, wanted, undefined);
  }
}

/** Each term in quotes: letters that mean something in the query language lose that meaning. */
function toMatch({ phrases }: Question, { known }: Rarity): string {
  const hasRare = [...known.values()].some((rarity) => rarity > RARE);
  const searched = [...known.keys()].filter((term) => !hasRare || (known.get(term) ?? 0) > COMMON);
  return [...searched, ...phrases.map((phrase) => phrase.join(' '))].map((text) => `"${text}"`).join(' OR ');
}

/** The columns of a passage `p` and its document `d`. */
export const PASSAGE_COLUMNS = `p.id, p.document AS documentId, p.start, p."end", p.page, p.breadcrumb, p.headings,
  p.text, p.terms, p.hash, d.path AS document, d.title, d.version`;

/** Passages by their ids, in any order; those that are not visible are left out. */
export function readPassages(
  database: DatabaseSync,
  wanted: readonly { id: number; score?: number }[],
  visible: FindOptions['visible'],
): Candidate[] {
  const scores = new Map(wanted.map(({ id, score = 0 }) => [id, score]));
  const rows = database
    .prepare(
      `SELECT ${PASSAGE_COLUMNS} FROM passages p JOIN documents d ON d.id = p.document
       WHERE p.id IN (SELECT value FROM json_each(?)) ${visible ? `AND p.${visible.sql}` : ''}`,
    )
    .all(JSON.stringify([...scores.keys()]), ...(visible ? [visible.parameter] : []));
  return rows.map((row) => toCandidate(row, scores.get(Number(row.id)) ?? 0));
}

export function toCandidate(row: Record<string, unknown>, score: number): Candidate {
  return {
    id: Number(row.id),
    documentId: Number(row.documentId),
    document: String(row.document),
    title: String(row.title),
    version: String(row.version),
    start: Number(row.start),
    end: Number(row.end),
    ...(row.page !== null && { page: Number(row.page) }),
    breadcrumb: JSON.parse(String(row.breadcrumb)),
    headings: String(row.headings),
    text: String(row.text),
    terms: String(row.terms),
    hash: String(row.hash),
    score,
  };
}
