import type { Clock } from '../clock.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import { DataQuery } from '../schema/data-query.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { describeResult, drawingOf, fewRowsOf, hasFigure } from './answer/describe-result.ts';
import { writeEcho } from './answer/echo.ts';
import type { Space } from './load/load-space.ts';
import type { SpaceView } from './model/merge-models.ts';
import { checkNames } from './query-names.ts';
import { createReader, type Reader, type Verdict } from './read/read.ts';
import type { AnswerOutcome } from './space-answer.ts';
import { createSpaceViews, once, type SpaceViews } from './space-view.ts';
import { compileQuery } from './sql/compile.ts';
import { NotExpressible } from './sql/compile-scope.ts';
import type { SqlOutcome, SqlRunner } from './sql/sql-runner.ts';

/** Answers questions over a space. Never throws. */
export interface SpaceAnswerer {
  /** Reads a question in words. */
  answer(question: string, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Runs a query object, as a model or the planner filled it. */
  run(query: JsonObject, signal: AbortSignal): Promise<AnswerOutcome>;
}

export interface SpaceAnswererOptions {
  space: Space;
  runner: SqlRunner;
  /** The model with the facts of the data; made from the space if absent. */
  views?: SpaceViews;
  vectors: () => WordVectors;
  clock: Clock;
}

export function createSpaceAnswerer(given: SpaceAnswererOptions): SpaceAnswerer {
  const options = { ...given, views: given.views ?? createSpaceViews(given.space, given.runner, given.clock) };
  const prepare = once(async () =>
    createReader([await options.views.view()], (word) => options.vectors().isWord(word)),
  );
  const guarded = async (work: () => Promise<AnswerOutcome>, signal: AbortSignal): Promise<AnswerOutcome> => {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return { failure: 'The question was cancelled.', isCancelled: true };
      return { failure: `The data could not be read: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
  return {
    answer: (question, signal) =>
      guarded(async () => answerComposed(question, await prepare(), options, signal), signal),
    run: (args, signal) => guarded(async () => runGiven(args, await options.views.view(), options, signal), signal),
  };
}

async function answerComposed(
  text: string,
  reader: Reader,
  options: SpaceAnswererOptions,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const verdict = reader.read(text);
  const [part] = verdict.parts;
  const [view] = reader.views;
  if (verdict.kind === 'answer' && part && view)
    return runQuery(part.query, view, { ...options, confidence: verdict.confidence, reasons: verdict.notes }, signal);
  const { title, verified } = options.space.file;
  return { failure: explainDecline(verdict, { title, examples: verified.map(({ ask }) => ask).slice(0, 3) }) };
}

/** Says why a question is not answered: the unknown words first, or what cannot be computed. */
function explainDecline(
  { kind, choices, unknown, problem }: Pick<Verdict, 'kind' | 'choices' | 'unknown' | 'problem'>,
  { title, examples }: { title: string; examples: readonly string[] },
): string {
  if (kind === 'ask') return `Which one do you mean?\n${choices.map((choice) => `- ${choice}`).join('\n')}`;
  const ask = examples.length > 0 ? ` Ask, for example: ${examples.map((text) => `"${text}"`).join(', ')}` : '';
  if (unknown.length > 0) {
    const words = unknown.map((word) => `"${word}"`).join(', ');
    return `I do not know ${words} in the data of ${title}, so I do not answer another question instead.${ask}`;
  }
  return `I cannot compute this from the data of ${title}${problem === undefined ? '' : `: ${problem}`}.${ask}`;
}

/** A query from outside is checked first: its names, its values, and what its author could not express. */
async function runGiven(
  args: JsonObject,
  view: SpaceView,
  options: SpaceAnswererOptions,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const { not_expressible: dropped, assumptions, ...rest } = args;
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const parsed = DataQuery.safeParse(fields);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { failure: `The query is not valid: ${faults.join('; ')}` };
  }
  const problem = checkNames(parsed.data, view);
  if (problem !== undefined) return { failure: problem };
  const listed = (list: Json | undefined) => (Array.isArray(list) ? list.map(String) : []);
  const unsaid = listed(dropped).map((words) => `"${words}" is not part of what was computed`);
  const reasons = [...unsaid, ...listed(assumptions)];
  const confidence = reasons.length === 0 ? 'high' : 'medium';
  return runQuery(inTimeOrder(parsed.data), view, { ...options, confidence, reasons }, signal);
}

/** The later one of two periods comes first: "October against September". */
function inTimeOrder(query: DataQuery): DataQuery {
  const { period, compare } = query;
  return period && compare && period.from < compare.from ? { ...query, period: compare, compare: period } : query;
}

interface RunOptions extends SpaceAnswererOptions {
  confidence: 'high' | 'medium' | 'low';
  reasons: readonly string[];
}

async function runQuery(
  query: DataQuery,
  view: SpaceView,
  options: RunOptions,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const { space, runner } = options;
  try {
    const { model, facts } = view;
    const compiled = compileQuery(query, { model, months: facts.months });
    const { rows: maxRows, timeout_seconds: seconds } = space.file.limits;
    const outcome = await runner.query({ ...compiled, maxRows, timeoutMs: seconds * 1000, signal });
    if ('failure' in outcome) return explain(outcome);
    const result = { query, model, rows: outcome.rows, formats: compiled.formats, value: compiled.value };
    const few = fewRowsOf(result);
    const doubts = [
      ...(hasFigure(result) ? [] : ['there are no rows']),
      ...(few ? [`one of them has ${few.count} ${few.nouns} only`] : []),
    ];
    return {
      answer: {
        text: few ? `${describeResult(result)} A group has only ${few.count} ${few.nouns}.` : describeResult(result),
        sql: compiled.sql,
        parameters: compiled.parameters,
        rows: outcome.rows,
        formats: compiled.formats,
        echo: writeEcho(query, view),
        query,
        drawing: drawingOf(result),
        confidence: doubts.length === 0 ? options.confidence : 'medium',
        reasons: [...options.reasons, ...doubts],
      },
    };
  } catch (error) {
    if (error instanceof NotExpressible) return { failure: `This cannot be computed: ${error.message}.` };
    throw error;
  }
}

function explain(outcome: Extract<SqlOutcome, { failure: string }>): AnswerOutcome {
  if (outcome.failure === 'timeout') return { failure: 'The query took too long and was stopped.' };
  if (outcome.failure === 'cancelled') return { failure: 'The query was cancelled.', isCancelled: true };
  const what = outcome.failure === 'refused' ? 'The query was refused' : 'The data could not be read';
  return { failure: `${what}: ${outcome.reason}` };
}
