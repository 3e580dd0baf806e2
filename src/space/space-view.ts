import type { Clock } from '../clock.ts';
import type { Space } from './load/load-space.ts';
import type { SpaceView } from './model/merge-models.ts';
import { createModel, type SpaceModel } from './model/model.ts';
import { readFacts } from './read-facts.ts';
import type { SqlRunner } from './sql/sql-runner.ts';
import type { KnownValues } from './trusted/exact-question.ts';

const MAX_VALUES = 5_000;

/** The model of an open space with the facts of its data, read once. After a failure the next question tries again. */
export interface SpaceViews {
  model: SpaceModel;
  view(): Promise<SpaceView>;
  /** Values for the parameters of trusted questions. */
  known(): Promise<KnownValues>;
}

export function createSpaceViews(space: Space, runner: SqlRunner, clock: Clock): SpaceViews {
  const model = createModel(space.file);
  const view = once(async () => ({ model, facts: await readFacts(model, runner, clock) }));
  const known = once(() => readKnown(space, runner));
  return { model, view, known };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function readKnown({ file }: Space, runner: SqlRunner): Promise<KnownValues> {
  const parameters = file.questions.flatMap((question) => Object.values(question.parameters));
  const columns = new Set(parameters.flatMap((parameter) => (parameter.type === 'value' ? [parameter.column] : [])));
  const known = new Map<string, string[]>();
  for (const column of columns) {
    const [table, name] = column.split('.');
    const sql = `SELECT DISTINCT "${name}" FROM "${table}" WHERE "${name}" IS NOT NULL`;
    const outcome = await runner.query({
      sql,
      parameters: {},
      maxRows: MAX_VALUES,
      timeoutMs: file.limits.timeout_seconds * 1000,
    });
    if ('failure' in outcome) throw new Error(outcome.reason);
    known.set(
      column,
      outcome.rows.rows.map(([value]) => String(value)),
    );
  }
  return known;
}
