import type { WordVectors } from '../builtin/word-vectors.ts';
import { findUnused } from './find-unused.ts';
import { type Fit, fitQuestion } from './fit-question.ts';
import type { QueryRows } from './guarded-database.ts';
import { LEAST_SCORE, type QuestionMatch } from './match-question.ts';
import { groupNamesOf } from './said-words.ts';
import { describeRows, nameQuestion, type SpaceAnswer } from './space-answer.ts';
import type { SqlOutcome } from './sql-runner.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface TrustedRequest {
  text: string;
  /** The best first. */
  ranked: readonly QuestionMatch[];
  vocabulary: Vocabulary;
  vectors: WordVectors;
  query(match: QuestionMatch): Promise<SqlOutcome>;
}

export type TrustedOutcome = { answer: SpaceAnswer } | Extract<SqlOutcome, { failure: string }>;

/** Below this no answer is looked at, also where it would give what was asked for. */
const LEAST_LOOK = 0.3;
const MAX_TRIED = 16;
/** While the nearest one stands and only leaves something out. */
const MAX_TRIED_BESIDES = 4;

/**
 * Answers with the nearest trusted question that gives what was asked for; undefined when none does. No other one is
 * run once there is nothing better to look for.
 */
export async function answerTrusted(request: TrustedRequest): Promise<TrustedOutcome | undefined> {
  const near = request.ranked.filter(({ score }) => score >= LEAST_LOOK).slice(0, MAX_TRIED);
  const trials: Trial[] = [];
  let chosen: Trial | undefined;
  for (const match of near) {
    const outcome = await request.query(match);
    if ('failure' in outcome) {
      // What is only looked at besides takes nothing from an answer that stands, unless all of it was cancelled.
      if (trials.length > 0 && outcome.failure === 'refused') continue;
      return chosen && outcome.failure !== 'cancelled' ? { answer: chosen.answer } : outcome;
    }
    trials.push(readTrial(match, outcome.rows, request));
    chosen = choose(trials);
    const isNearest = chosen === trials[0];
    if (chosen && isPlain(chosen, isNearest)) break;
    if (isNearest && trials.length >= MAX_TRIED_BESIDES) break;
  }
  return chosen && { answer: chosen.answer };
}

interface Trial {
  match: QuestionMatch;
  answer: SpaceAnswer;
  fit: Fit;
  /** Whether its words are near enough to be what was asked. */
  isNear: boolean;
  leavesNothing: boolean;
}

function readTrial(match: QuestionMatch, rows: QueryRows, { text, vocabulary, vectors }: TrustedRequest): Trial {
  const { sql, formats } = match.question;
  const compared = { text, match, rows, vocabulary, vectors };
  const unused = findUnused(compared);
  const fit = fitQuestion(compared);
  const onlyBy = groupNamesOf(sql, rows.columns).join(' and ');
  const description = nameQuestion(match);
  const answer = { text: describeRows(match, rows), sql: sql.trim(), description, rows, formats, unused };
  return {
    match,
    answer: fit === 'parts' ? { ...answer, onlyBy } : answer,
    fit,
    isNear: match.score >= LEAST_SCORE,
    leavesNothing: unused.length === 0,
  };
}

/** Whether there is nothing better to look for. */
function isPlain({ fit, leavesNothing }: Trial, isNearest: boolean): boolean {
  return leavesNothing && (fit === 'rows' || (isNearest && fit !== 'parts'));
}

/**
 * The nearest one, unless it gives something else. Another one stands in for it only if it leaves nothing out, and may
 * be less near if its rows are just what was asked for; what the nearest one leaves out must then be its subject, and no
 * value that it happens to have a parameter for.
 */
function choose([nearest, ...others]: readonly Trial[]): Trial | undefined {
  const fallback = nearest?.isNear && nearest.fit !== 'other' ? nearest : undefined;
  const candidates = [...(nearest && !fallback ? [nearest] : []), ...others].filter((trial) => trial.leavesNothing);
  const find = (fit: Fit) => candidates.find((trial) => trial.fit === fit && (trial.isNear || fit === 'rows'));
  const rows = find('rows');
  if (!fallback) return rows ?? find('whole') ?? find('parts');
  if (fallback.fit === 'parts') return rows ?? find('whole') ?? fallback;
  return rows && rows.match.filled.named.length === 0 ? rows : fallback;
}
