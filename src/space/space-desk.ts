import type { WordVectors } from '../builtin/word-vectors.ts';
import type { Clock } from '../clock.ts';
import type { Model } from '../models/model.ts';
import { answerTrusted, type TrustedRequest } from './answer-trusted.ts';
import type { QueryRows } from './guarded-database.ts';
import type { Space } from './load-space.ts';
import { createQuestionBook, type QuestionMatch } from './match-question.ts';
import { nameQuestion, type SpaceAnswer } from './space-answer.ts';
import type { SqlOutcome, SqlQuery, SqlRunner } from './sql-runner.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';
import { writeSql } from './write-sql.ts';

export type DeskOutcome = { answer: SpaceAnswer } | { failure: string; isCancelled?: boolean };

/** Answers questions over one space. Never throws. */
export interface SpaceDesk {
  answer(question: string, signal: AbortSignal): Promise<DeskOutcome>;
}

export interface SpaceDeskOptions {
  space: Space;
  runner: SqlRunner;
  vectors: () => WordVectors;
  clock: Clock;
  /** Writes SQL where no trusted question fits. */
  model?: Model;
}

const SUGGESTED = 3;
const WRITE_TRIES = 2;

export function createSpaceDesk(options: SpaceDeskOptions): SpaceDesk {
  const { space, runner, vectors, model } = options;
  const book = createQuestionBook(space.file.questions, vectors);
  let vocabulary: Promise<Vocabulary> | undefined;
  return {
    async answer(question, signal) {
      try {
        vocabulary ??= readVocabulary(space, runner);
        const words = await vocabulary;
        const ranked = book.rank(question, words.known);
        const query = createQuery(options, signal);
        const trusted = await answerTrusted({ text: question, ranked, vocabulary: words, vectors: vectors(), query });
        const outcome = trusted && ('failure' in trusted ? explain(trusted) : trusted);
        if (outcome && !isInParts(outcome)) return outcome;
        const unfit = outcome ?? { failure: describeUnfit(ranked) };
        return model ? await answerBetter(question, { ...options, model, unfit }, signal) : unfit;
      } catch (error) {
        vocabulary = undefined;
        if (signal.aborted) return { failure: 'The question was cancelled.', isCancelled: true };
        return { failure: `The data could not be read: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  };
}

function isInParts(outcome: DeskOutcome): boolean {
  return 'answer' in outcome && outcome.answer.onlyBy !== undefined;
}

interface WriteOptions extends SpaceDeskOptions {
  model: Model;
  unfit: DeskOutcome;
}

/** An answer that is there, even if only in parts, is given where nothing better comes of the writing. */
async function answerBetter(question: string, options: WriteOptions, signal: AbortSignal): Promise<DeskOutcome> {
  const { unfit } = options;
  if (!('answer' in unfit)) return answerWritten(question, options, signal);
  try {
    const written = await answerWritten(question, options, signal);
    return 'answer' in written || written.isCancelled ? written : unfit;
  } catch (error) {
    if (signal.aborted) throw error;
    return unfit;
  }
}

/** The model's own SQL, under the same guard as every other; what the database refuses is written once more. */
async function answerWritten(question: string, options: WriteOptions, signal: AbortSignal): Promise<DeskOutcome> {
  const { space, runner, model, clock } = options;
  const tables = await runner.load();
  const timeoutMs = space.file.limits.timeout_seconds * 1000;
  let refusal: { sql: string; reason: string } | undefined;
  for (let tries = 0; tries < WRITE_TRIES; tries++) {
    const request = { question, space: space.file, tables, signal, now: clock.date(), ...(refusal && { refusal }) };
    const sql = await writeSql(model, request);
    if (sql === undefined) return options.unfit;
    const outcome = await run({ sql, parameters: {}, timeoutMs, signal }, options);
    if ('rows' in outcome) return { answer: describeWritten(sql, outcome.rows) };
    if (outcome.failure !== 'refused') return explain(outcome);
    refusal = { sql, reason: outcome.reason };
  }
  return { failure: 'The query that was written for this question could not be run.' };
}

/** One deadline for all trusted questions that are looked at. */
function createQuery(options: SpaceDeskOptions, signal: AbortSignal): TrustedRequest['query'] {
  const { clock, space } = options;
  const deadline = clock.now() + space.file.limits.timeout_seconds * 1000;
  return async ({ question, filled }) => {
    const timeoutMs = deadline - clock.now();
    if (timeoutMs <= 0) return { failure: 'timeout', reason: 'the queries took too long' };
    return run({ sql: question.sql, parameters: filled.values, timeoutMs, signal }, options);
  };
}

function run(query: Omit<SqlQuery, 'maxRows'>, { space, runner }: SpaceDeskOptions): Promise<SqlOutcome> {
  return runner.query({ ...query, maxRows: space.file.limits.rows });
}

function describeWritten(sql: string, rows: QueryRows): SpaceAnswer {
  const count = rows.rows.length;
  const found = count === 1 ? 'one row was found' : `${count} rows were found`;
  const text = `No trusted question fits, so the query for this was written by the model; ${found}.`;
  return { text, sql, description: 'Written by the model', rows, formats: {}, unused: [] };
}

function explain(outcome: Extract<SqlOutcome, { failure: string }>): DeskOutcome {
  switch (outcome.failure) {
    case 'timeout':
      return { failure: 'The query took too long and was stopped.' };
    case 'cancelled':
      return { failure: 'The query was cancelled.', isCancelled: true };
    case 'refused':
      return { failure: `The query was refused: ${outcome.reason}` };
    case 'unavailable':
      return { failure: `The data could not be read: ${outcome.reason}` };
  }
}

function describeUnfit(ranked: readonly QuestionMatch[]): string {
  // What was not said leaves no gap.
  const nearest = ranked.slice(0, SUGGESTED).map((match) => `"${nameQuestion(match).replace(/ {2,}/g, ' ')}"`);
  return `There is no ready answer for this here.${nearest.length > 0 ? ` Ask, for example: ${nearest.join(', ')}` : ''}`;
}
