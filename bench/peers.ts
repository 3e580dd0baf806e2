import type { Row } from './compare.ts';

/**
 * The best of Genkit 1.42, OpenAI Agents 0.20, Google ADK 2.0, AI SDK 6 with Hono, LangGraph 1.4, CopilotKit 1.75,
 * Mastra 1.71 and VoltAgent 2.10 in each row, as a ratio to the same floor, on two cores and Node 20. None of them
 * writes to a disk. `ms` marks an absolute time.
 */
const BEST: Record<string, number | { ms: number }> = {
  'cold start to the first answer': 3.3,
  'cold start, CPU': 3.8,
  'memory after the first answer': 1.8,
  'memory with 500 open streams': 1.7,
  '20 tokens, first token': 4.5,
  '20 tokens, total': 4.5,
  '50 connections × 200 tokens, CPU per answer': 6.5,
  'one tool call, total': 5.1,
  'one tool call × 50, CPU per answer': 7.7,
  'five parallel tools of 100 ms, total': { ms: 112 },
  'client gone, model stopped after': { ms: 56 },
};

/** A smaller difference means nothing on a shared machine. */
const NOISE = 0.25;

export type Verdict = 'ahead' | 'level' | 'behind';

/** The rows in which the others were measured. */
export const judgedRows: readonly string[] = Object.keys(BEST);

/** Compares a contestant's number with the best of the others; undefined if they were not measured. */
export function judge({ what, values }: Row, name: string): { verdict: Verdict; best: string } | undefined {
  const best = BEST[what];
  const value = values.get(name);
  const floor = values.get('floor');
  if (best === undefined || value === undefined || floor === undefined) return undefined;
  const limit = typeof best === 'number' ? best : best.ms;
  const measured = typeof best === 'number' ? value / floor : value;
  const isLevel = measured <= limit * (1 + NOISE);
  const verdict = measured < limit ? 'ahead' : isLevel ? 'level' : 'behind';
  return { verdict, best: typeof best === 'number' ? `× ${limit}` : `${limit} ms` };
}
