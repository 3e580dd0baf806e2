import type { Clock } from '../../clock.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { DataQuery } from '../../schema/data-query.ts';
import { writeEcho } from '../answer/echo.ts';
import type { Space } from '../load/load-space.ts';
import type { SpaceView } from '../model/merge-models.ts';
import { createModel, type Filter, type SpaceModel } from '../model/model.ts';
import { resolveDimension } from '../model/resolve.ts';
import { sameQuery } from '../read/edit.ts';
import { createReader } from '../read/read.ts';
import { readFacts } from '../read-facts.ts';
import { compileQuery } from '../sql/compile.ts';
import { NotExpressible } from '../sql/compile-scope.ts';
import type { SqlRunner } from '../sql/sql-runner.ts';

/** Faults of a semantic model, and conditions that are most likely wrong. */
export interface ModelReport {
  problems: string[];
  warnings: string[];
}

export interface CheckOptions {
  runner: SqlRunner;
  clock: Clock;
  vectors: () => WordVectors;
}

const QUERY_MS = 20_000;

/**
 * Proves a model over its data: every measure computes, every filter holds for some rows, and every verified question
 * is read as its query. Keys, joins and the names of columns are proven by the load.
 */
export async function checkModel(
  { file }: Pick<Space, 'file'>,
  { runner, clock, vectors }: CheckOptions,
): Promise<ModelReport> {
  const model = createModel(file);
  const measures = await Promise.all([...model.measures.keys()].map((name) => proveMeasure(model, name, runner)));
  const filters = await Promise.all([...model.filters.values()].map((filter) => proveFilter(model, filter, runner)));
  const view = { model, facts: await readFacts(model, runner, clock) };
  const faults = [...measures, ...filters.map(({ problem }) => problem)].filter(isText);
  return {
    problems: [...faults, ...checkVerified(view, vectors())],
    warnings: [...filters.map(({ warning }) => warning).filter(isText), ...findForks(model)],
  };
}

const isText = (text: string | undefined): text is string => text !== undefined;

async function proveMeasure(model: SpaceModel, name: string, runner: SqlRunner): Promise<string | undefined> {
  const found = await figureOf(model, { measures: [{ name }] }, runner);
  return 'problem' in found ? `measures.${name}: ${found.problem}` : undefined;
}

type Figure = { value: number | null } | { problem: string };

/** The single figure of a query without groups. */
async function figureOf(model: SpaceModel, query: unknown, runner: SqlRunner): Promise<Figure> {
  try {
    const { sql, parameters } = compileQuery(DataQuery.parse(query), { model });
    const outcome = await runner.query({ sql, parameters, maxRows: 1, timeoutMs: QUERY_MS });
    if ('failure' in outcome) return { problem: outcome.reason };
    const cell = outcome.rows.rows[0]?.[0];
    return { value: typeof cell === 'number' ? cell : null };
  } catch (error) {
    if (error instanceof NotExpressible) return { problem: error.message };
    throw error;
  }
}

/** A filter that holds for all rows, or for none, is most likely a wrong value. */
async function proveFilter(
  model: SpaceModel,
  filter: Filter,
  runner: SqlRunner,
): Promise<{ problem?: string; warning?: string }> {
  const { name } = filter;
  const [table = ''] = (filter.columns?.[0] ?? filter.rows ?? `${filter.of}.`).split('.');
  const counted = [...model.measures.values()].find((measure) => measure.isRowCount && measure.table === table);
  if (!counted) return {};
  const measures = [{ name: counted.name }];
  const [all, some] = await Promise.all([
    figureOf(model, { measures }, runner),
    figureOf(model, { measures, named: [{ name, negated: false }] }, runner),
  ]);
  if ('problem' in some) return { problem: `filters.${name}: ${some.problem}` };
  if ('problem' in all || all.value === null) return {};
  const count = some.value ?? 0;
  if (count > 0 && count < all.value) return {};
  const rows = `${count === 0 ? 'none' : 'all'} of ${all.value} ${counted.unit}`;
  return { warning: `filters.${name}: holds for ${rows}` };
}

/** Reads every verified question and compares the reading with its query. */
function checkVerified(view: SpaceView, words: WordVectors): string[] {
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

/** Dimensions that a table reaches in two ways, such as the location that goods come from and the one they go to. */
function findForks(model: SpaceModel): string[] {
  const tables = [...new Set([...model.measures.values()].map(({ table }) => table))];
  return tables.flatMap((table) =>
    [...model.dimensions.keys()].flatMap((dimension) => {
      const resolved = resolveDimension(model, table, dimension);
      if (!resolved || !('ambiguous' in resolved)) return [];
      const ways = resolved.ambiguous.join(' or ');
      return [`tables.${table}: ${dimension} may be ${ways}; a question must name the one that it means`];
    }),
  );
}
