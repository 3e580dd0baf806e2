import { DataQuery } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import type { ReadPart } from './choose.ts';

/** Confirms a reading by a second, strict look at the question. */
export type Gate = (text: string, parts: readonly ReadPart[]) => boolean;

/**
 * High confidence needs the author's word: the question is one of the verified questions, word by word, and its reading
 * is the query beside it. Case and punctuation may differ.
 */
export function createGate({ model }: SpaceView): Gate {
  const known = new Map(model.verified.map(({ ask, query }) => [plainWords(ask), plainText(query)]));
  return (text, [only, ...others]) =>
    only !== undefined && others.length === 0 && known.get(plainWords(text)) === plainText(only.query);
}

function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}$%'’.,-]*[\p{L}\p{N}%]/gu) ?? []).join(' ');
}

/** A query as text: without the words of its periods, lists in one order. Without a limit the order changes no figure. */
function plainText(query: DataQuery): string {
  const order = query.limit === null ? null : query.order;
  const measures = query.measures.map((measure) => ({ ...measure, distinct: measure.distinct ?? null }));
  return JSON.stringify({ ...DataQuery.parse({ ...query, measures }), order }, (key, value) => {
    if (key === 'words') return undefined;
    return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value;
  });
}
