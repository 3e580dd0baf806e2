import { GRADED_METRICS, type StandardMetric } from '../../schema/tests/evaluation.ts';
import type { TurnOutcome } from '../expect/outcome.ts';
import { contains, fitsSchema, followsTrajectory, isEqual, isNear, matches, type Verdict } from './compare.ts';
import { bleu, f1Score, meteor, rouge } from './text-scores.ts';

export interface Measured {
  score: number;
  reason?: string;
}

export type TextMetric = Exclude<StandardMetric['metric'], (typeof GRADED_METRICS)[number]>;

/** Measures that are 0 or 1, so that their threshold is 1 unless the author sets one. */
const BINARY: readonly StandardMetric['metric'][] = [
  'equality',
  'contains',
  'regex',
  'numeric',
  'json_schema',
  'tool_trajectory',
];

export function isBinary(metric: StandardMetric['metric']): boolean {
  return BINARY.includes(metric);
}

export function isTextMetric(metric: StandardMetric['metric']): metric is TextMetric {
  return !GRADED_METRICS.some((graded) => graded === metric);
}

/** True if the measure compares the answer with the turn's ground truth. */
export function needsTruth({ metric, value }: StandardMetric): boolean {
  if (metric === 'json_schema' || metric === 'tool_trajectory') return false;
  return isTextMetric(metric) && !((metric === 'contains' || metric === 'regex') && value !== undefined);
}

/** Takes a measure without a model. Throws if the case does not have what it needs. */
export function measureText(metric: StandardMetric & { metric: TextMetric }, outcome: TurnOutcome): Measured {
  const { turn, result } = outcome;
  const truth = metric.value ?? turn.ground_truth ?? '';
  return MEASURES[metric.metric]({ metric, answer: result.content, truth, outcome });
}

interface Input {
  metric: StandardMetric;
  answer: string;
  truth: string;
  outcome: TurnOutcome;
}

const MEASURES: Record<TextMetric, (input: Input) => Measured> = {
  equality: ({ answer, truth, metric }) => toMeasured(isEqual(answer, truth, metric)),
  contains: ({ answer, truth, metric }) => toMeasured(contains(answer, truth, metric)),
  regex: ({ answer, truth, metric }) => toMeasured(matches(answer, truth, metric)),
  numeric: ({ answer, truth, metric }) => toMeasured(isNear(answer, truth, metric)),
  json_schema: ({ answer, metric }) => toMeasured(fitsSchema(answer, metric.schema)),
  f1_score: ({ answer, truth }) => ({ score: f1Score(answer, truth) }),
  rouge: ({ answer, truth, metric }) => ({ score: rouge(metric.variant, answer, truth) }),
  bleu: ({ answer, truth }) => ({ score: bleu(answer, truth) }),
  meteor: ({ answer, truth }) => ({ score: meteor(answer, truth) }),
  tool_trajectory: ({ outcome: { turn, result }, metric }) =>
    toMeasured(followsTrajectory(result.tool_calls, turn.expected_tools ?? [], metric.order)),
};

function toMeasured(verdict: Verdict): Measured {
  return verdict === true ? { score: 1 } : { score: 0, reason: verdict };
}
