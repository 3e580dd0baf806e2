import type { WordVectors } from '../../language/word-vectors.ts';
import type { DataQuery } from '../../schema/data-query.ts';
import { writeEcho } from '../answer/echo.ts';
import type { SpaceView } from '../model/merge-models.ts';
import { createReader } from '../read/read.ts';

/** Reads every verified question and compares the reading with its query. */
export function checkVerified(view: SpaceView, words: WordVectors): string[] {
  const reader = createReader([view], (word) => words.isWord(word));
  return view.model.verified.flatMap(({ ask, query }, index) => {
    const where = `verified[${index}] "${ask}"`;
    const { kind, parts, unknown, problem } = reader.read(ask);
    const [best] = parts;
    if (!best || kind !== 'answer') {
      const why = [...unknown.map((word) => `"${word}" is unknown`), ...(problem === undefined ? [] : [problem])];
      return [`${where}: is not understood${why.length > 0 ? `: ${why.join(', ')}` : ''}`];
    }
    if (sameQuery(best.query, query)) return [];
    const say = (one: DataQuery) => writeEcho(one, view);
    return [`${where}: is read as "${say(best.query)}" instead of "${say(query)}"`];
  });
}

/** Periods are the same if their days are, whatever the words for them. */
function sameQuery(a: DataQuery, b: DataQuery): boolean {
  const text = (query: DataQuery) => JSON.stringify(query, (key, value) => (key === 'words' ? undefined : value));
  return text(a) === text(b);
}
