import type { Clock } from '../../clock.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import type { DataQuery } from '../../schema/data-query.ts';
import { writeEcho } from '../guard/echo.ts';
import type { SpaceModel } from '../model/model.ts';
import { readFacts } from '../question/read-facts.ts';
import { createQuestionReader } from '../question/read-question.ts';
import type { SqlRunner } from '../sql/sql-runner.ts';

export interface VerifiedOptions {
  runner: SqlRunner;
  clock: Clock;
  vectors: () => WordVectors;
}

/** Reads every verified question and compares the reading with its query. */
export async function checkVerified(model: SpaceModel, { runner, clock, vectors }: VerifiedOptions): Promise<string[]> {
  if (model.verified.length === 0) return [];
  const facts = await readFacts(model, runner, clock);
  const words = vectors();
  const reader = createQuestionReader({ views: [{ model, facts }], isEnglish: (word) => words.isWord(word) });
  return model.verified.flatMap(({ ask, query }, index) => {
    const where = `verified[${index}] "${ask}"`;
    const { candidates, unknown, nearest } = reader.read(ask);
    const [best] = candidates;
    if (!best || unknown.length > 0) {
      const why = [...unknown.map((word) => `"${word}" is unknown`), ...(best ? [] : (nearest?.problems ?? []))];
      return [`${where}: is not understood${why.length > 0 ? `: ${why.join(', ')}` : ''}`];
    }
    if (sameQuery(best.query, query)) return [];
    const say = (one: DataQuery) => writeEcho(one, { model, facts });
    return [`${where}: is read as "${say(best.query)}" instead of "${say(query)}"`];
  });
}

/** Periods are the same if their days are, whatever the words for them. */
function sameQuery(a: DataQuery, b: DataQuery): boolean {
  const text = (query: DataQuery) => JSON.stringify(query, (key, value) => (key === 'words' ? undefined : value));
  return text(a) === text(b);
}
