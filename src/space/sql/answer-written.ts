import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model } from '../../models/model.ts';
import type { Space } from '../load/load-space.ts';
import type { AnswerOutcome } from '../space-answer.ts';
import { drawingOfRows } from './drawing-of-rows.ts';
import type { SqlRunner } from './sql-runner.ts';
import { writeSql } from './write-sql.ts';

interface WriteOptions {
  space: Space;
  runner: SqlRunner;
  model: Model;
  clock: Clock;
  ids: Ids;
  /** The reason why the question could not be composed. */
  failure: string;
}

const WRITE_TRIES = 2;

/** Runs the model's SQL under the usual guard, shown and never with high confidence. A refused query gets one more try. */
export async function answerWritten(
  question: string,
  options: WriteOptions,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const { space, runner, model, clock, ids, failure } = options;
  const tables = await runner.load();
  const { rows: maxRows, timeout_seconds: seconds } = space.file.limits;
  let refusal: { sql: string; reason: string } | undefined;
  for (let tries = 0; tries < WRITE_TRIES; tries++) {
    const request = {
      question,
      space: space.file,
      tables,
      signal,
      now: clock.date(),
      ids,
      ...(refusal && { refusal }),
    };
    const sql = await writeSql(model, request);
    if (sql === undefined) return { failure };
    const outcome = await runner.query({ sql, parameters: {}, maxRows, timeoutMs: seconds * 1000, signal });
    if ('rows' in outcome) {
      const count = outcome.rows.rows.length;
      const found = count === 1 ? 'one row was found' : `${count} rows were found`;
      return {
        answer: {
          text: `The question could not be composed from the model of the data, so the query for it was written by the model; ${found}.`,
          sql,
          description: 'Written by the model',
          rows: outcome.rows,
          formats: {},
          drawing: drawingOfRows(outcome.rows),
          confidence: 'low',
          reasons: ['the query was written by the model'],
        },
      };
    }
    if (outcome.failure === 'cancelled') return { failure: 'The question was cancelled.', isCancelled: true };
    if (outcome.failure !== 'refused') return { failure: outcome.reason };
    refusal = { sql, reason: outcome.reason };
  }
  return { failure };
}
