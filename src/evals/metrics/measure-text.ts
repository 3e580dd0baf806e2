import { GRADED_METRICS, type StandardMetric } from '../../schema/tests/evaluation.ts';
import type { TurnOutcome } from '../expect/outcome.ts';
import {
  contains,
  fitsSchema,
  followsTrajectory,
  isEqual,
  isNear,
  matches,
  readJson,
  type Verdict,
} from './compare.ts';
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
  const { response_path: path } = metric;
  const answer = path === undefined ? result.content : readLeaf(result.content, path);
  if (answer === undefined) return { score: 0, reason: `the answer is no JSON with a value at ${path}` };
  return MEASURES[metric.metric]({ metric, answer, truth, outcome });
}

/** The value at a path of dots in an answer that is JSON, as text. */
function readLeaf(answer: string, path: string): string | undefined {
  let value: unknown = readJson(answer);
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key]; // an object or a list, checked above
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
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
