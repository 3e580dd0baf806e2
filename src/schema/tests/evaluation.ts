import * as z from 'zod';
import { JsonObject, lazyStrict } from '../json.ts';
import { SingleModel } from '../model-config.ts';
import { Text } from '../scalars.ts';

/** Metrics that compare the answer with the ground truth, or with a value of their own, without a model. */
export const TEXT_METRICS = [
  'equality',
  'contains',
  'regex',
  'numeric',
  'json_schema',
  'f1_score',
  'rouge',
  'bleu',
  'meteor',
  'tool_trajectory',
] as const;

const RAG_METRICS = [
  'faithfulness',
  'answer_relevancy',
  'contextual_relevancy',
  'contextual_precision',
  'contextual_recall',
] as const;

/** Metrics of the Python HoloDeck that a model grades. */
export const GRADED_METRICS = [
  'groundedness',
  'relevance',
  'coherence',
  'fluency',
  'safety',
  'similarity',
  ...RAG_METRICS,
] as const;

const shared = () => ({
  enabled: z.boolean().default(true),
  /** False: an evaluation that fails itself is only reported. Absent: it is an error of the case. */
  fail_on_error: z.boolean().optional(),
});
const graded = () => ({
  ...shared(),
  model: SingleModel.optional(),
  retry_on_failure: z.number().int().min(1).max(3).optional(),
  timeout_ms: z.number().positive().max(600_000).optional(),
});
const Share = z.lazy(() => z.number().min(0).max(1));

export const StandardMetric = lazyStrict(() => ({
  ...graded(),
  type: z.literal('standard').optional(),
  name: Text.optional(),
  metric: z.enum([...TEXT_METRICS, ...GRADED_METRICS]),
  threshold: z.number().optional(),
  scale: z.number().positive().optional(),
  custom_prompt: Text.optional(),
  case_insensitive: z.boolean().default(false),
  strip_whitespace: z.boolean().default(false),
  strip_punctuation: z.boolean().default(false),
  absolute_tolerance: z.number().nonnegative().default(1e-6),
  relative_tolerance: z.number().nonnegative().default(0),
  accept_percent: z.boolean().default(false),
  accept_thousands_separators: z.boolean().default(false),
  value: Text.optional(),
  response_path: Text.optional(),
  schema: JsonObject.optional(),
  order: z.enum(['exact', 'in_order', 'any_order']).default('exact'),
  variant: z.enum(['rouge1', 'rouge2', 'rougeL']).default('rougeL'),
}));
export type StandardMetric = z.infer<typeof StandardMetric>;

export const GevalMetric = lazyStrict(() => ({
  ...graded(),
  type: z.literal('geval'),
  name: Text,
  criteria: Text,
  threshold: Share.optional(),
  evaluation_steps: z.array(Text).optional(),
  evaluation_params: z
    .array(z.enum(['input', 'actual_output', 'expected_output', 'context', 'retrieval_context']))
    .min(1, 'must not be empty')
    .default(['actual_output']),
  strict_mode: z.boolean().default(false),
}));
export type GevalMetric = z.infer<typeof GevalMetric>;

export const RagMetric = lazyStrict(() => ({
  ...graded(),
  type: z.literal('rag'),
  name: Text.optional(),
  metric_type: z.enum(RAG_METRICS),
  threshold: Share.optional(),
  include_reason: z.boolean().default(true),
}));
export type RagMetric = z.infer<typeof RagMetric>;

export const CodeMetric = lazyStrict(() => ({
  ...shared(),
  type: z.literal('code'),
  name: Text.optional(),
  grader: z.string().regex(/^[^:]+:[^:]+$/, 'must be a file and its function, such as graders.ts:politeness'),
  threshold: Share.optional(),
}));
export type CodeMetric = z.infer<typeof CodeMetric>;

/** An evaluation of an answer: a number from 0 to 1, compared with a threshold. */
export const Metric = z.lazy(() => z.discriminatedUnion('type', [StandardMetric, GevalMetric, RagMetric, CodeMetric]));
export type Metric = z.infer<typeof Metric>;

export const Evaluations = lazyStrict(() => ({
  model: SingleModel.optional(),
  metrics: z.array(Metric).min(1, 'must have at least one metric'),
}));
export type Evaluations = z.infer<typeof Evaluations>;
