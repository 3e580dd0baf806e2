import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model } from '../../models/model.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { Space } from '../load/load-space.ts';
import type { LoadedTable } from '../load/load-tables.ts';
import type { SpaceFile } from '../load/space-file.ts';
import type { AnswerOutcome } from '../space-answer.ts';
import { drawingOfRows } from './drawing-of-rows.ts';
import type { SqlRunner } from './sql-runner.ts';

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

interface SqlRequestOptions {
  question: string;
  space: SpaceFile;
  tables: readonly LoadedTable[];
  /** The database's error about the last try. */
  refusal?: { sql: string; reason: string };
  signal: AbortSignal;
  now: Date;
  ids: Ids;
}

const MAX_SQL_CHARS = 20_000;

/** Asks a model for a SELECT; undefined if it reports that the data does not answer the question. */
async function writeSql(model: Model, options: SqlRequestOptions): Promise<string | undefined> {
  const { question, refusal, now, ids, signal } = options;
  const content = refusal
    ? `${question}\n\nYour last query was refused (${refusal.reason}):\n${refusal.sql}\nWrite it again.`
    : question;
  const message: Message = { id: ids.ulid(), role: 'user', content, timestamp: now.toISOString(), metadata: {} };
  let text = '';
  const request = { system: describeSchema(options), messages: [message], tools: [], now, timezone: 'UTC' };
  for await (const chunk of model.stream(request, { signal })) {
    if (chunk.type === 'text' && text.length < MAX_SQL_CHARS) text += chunk.text;
  }
  const sql = (/```(?:sql)?\s*([\s\S]*?)```/i.exec(text)?.[1] ?? text).trim().replace(/;\s*$/, '');
  return /^(?:select|with)\b/i.test(sql) ? sql : undefined;
}

function describeSchema({ space, tables }: SqlRequestOptions): string {
  const lines = tables.flatMap(({ name, columns, rows }) => {
    const about = space.tables[name];
    const described = columns.map(({ name: column, type }) => {
      const words = about?.columns[column];
      const text = typeof words === 'string' ? words : words?.description;
      return `  ${column} ${type}${text ? ` -- ${text}` : ''}`;
    });
    return [`${name} (${rows} rows)${about?.description ? ` -- ${about.description}` : ''}`, ...described];
  });
  return [
    'You write one SQLite SELECT statement that answers the question from these tables. Reply with the statement alone.',
    'Reply with the word NONE when the tables do not hold the answer. Name columns in words that people understand.',
    ...lines,
  ].join('\n');
}
