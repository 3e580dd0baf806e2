import type { Clock } from '../clock.ts';
import type { Space } from './load/load-space.ts';
import type { SpaceView } from './model/merge-models.ts';
import { createModel, type SpaceModel } from './model/model.ts';
import { readFacts } from './read-facts.ts';
import type { SqlRunner } from './sql/sql-runner.ts';

/** The model of an open space with the facts of its data, read once. After a failure the next question tries again. */
export interface SpaceViews {
  model: SpaceModel;
  view(): Promise<SpaceView>;
}

export function createSpaceViews(space: Space, runner: SqlRunner, clock: Clock): SpaceViews {
  const model = createModel(space.file);
  return { model, view: once(async () => ({ model, facts: await readFacts(model, runner, clock) })) };
}

/** Makes something once. After a failure the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
