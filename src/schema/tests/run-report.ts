import * as z from 'zod';
import { TurnStatus } from '../conversation/turn.ts';
import { Json, lazyStrict } from '../json.ts';

/** An expectation that was not met. `error` is true if it could not be tested. */
export const Failure = lazyStrict(() => ({
  expectation: z.string(),
  expected: z.string(),
  happened: z.string(),
  error: z.boolean().optional(),
}));
export type Failure = z.infer<typeof Failure>;

export const MetricScore = lazyStrict(() => ({
  name: z.string(),
  score: z.number().optional(),
  threshold: z.number().optional(),
  passed: z.boolean(),
  reason: z.string().optional(),
  error: z.string().optional(),
}));
export type MetricScore = z.infer<typeof MetricScore>;

export const TurnReport = lazyStrict(() => ({
  user: z.string().optional(),
  input: z.string(),
  content: z.string(),
  status: TurnStatus,
  tools: z.array(z.strictObject({ name: z.string(), arguments: Json, state: z.string() })),
  failures: z.array(Failure),
  metrics: z.array(MetricScore),
  steps: z.number(),
  tokens: z.number().optional(),
  /** Absent if the price of the model is not known. */
  cost_usd: z.number().optional(),
  ms: z.number(),
}));
export type TurnReport = z.infer<typeof TurnReport>;

export const CaseStatus = z.enum(['passed', 'failed', 'error']);
export type CaseStatus = z.infer<typeof CaseStatus>;

export const CaseReport = lazyStrict(() => ({
  name: z.string(),
  status: CaseStatus,
  /** How often the case ran, and how often it passed. */
  runs: z.number().int(),
  passed_runs: z.number().int(),
  pass_rate: z.number(),
  /** The turns of the first run that did not pass, else of the first run. */
  turns: z.array(TurnReport),
  /** The reason why a case could not run. */
  error: z.string().optional(),
  class: z.string().optional(),
  tokens: z.number().optional(),
  cost_usd: z.number().optional(),
  ms: z.number(),
}));
export type CaseReport = z.infer<typeof CaseReport>;

/** A finished run of an agent's cases, as it is stored. */
export const RunReport = lazyStrict(() => ({
  format: z.literal(1),
  id: z.string(),
  agent: z.string(),
  model: z.string(),
  started_at: z.string(),
  ms: z.number(),
  cases: z.array(CaseReport),
}));
export type RunReport = z.infer<typeof RunReport>;

export function countCases({ cases }: Pick<RunReport, 'cases'>): Record<CaseStatus, number> {
  const count = (status: CaseStatus) => cases.filter((one) => one.status === status).length;
  return { passed: count('passed'), failed: count('failed'), error: count('error') };
}

/** A run in a list, without its cases. */
export const RunSummary = lazyStrict(() => ({
  ...RunReport.unwrap().omit({ format: true, cases: true }).shape,
  passed: z.number().int(),
  failed: z.number().int(),
  error: z.number().int(),
}));
export type RunSummary = z.infer<typeof RunSummary>;

/** Differences between two runs of an agent, over the cases that both have. */
export const RunComparison = lazyStrict(() => ({
  with: z.string().describe('The run that this one is compared with'),
  new_failures: z.array(z.string()),
  fixed: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  ms: z.number().describe('New minus old'),
  tokens: z.number().optional(),
  cost_usd: z.number().optional(),
}));
export type RunComparison = z.infer<typeof RunComparison>;
