import type { Clock } from '../../clock.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import type { DataQuery } from '../../schema/data-query.ts';
import { writeEcho } from '../answer/echo.ts';
import type { SpaceModel } from '../model/model.ts';
import { createReader } from '../read/read.ts';
import { readFacts } from '../read-facts.ts';
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
  const reader = createReader([{ model, facts }], (word) => words.isWord(word));
  return model.verified.flatMap(({ ask, query }, index) => {
    const where = `verified[${index}] "${ask}"`;
    const { kind, parts, unknown, problem } = reader.read(ask);
    const [best] = parts;
    if (!best || kind !== 'answer') {
      const why = [...unknown.map((word) => `"${word}" is unknown`), ...(problem === undefined ? [] : [problem])];
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
