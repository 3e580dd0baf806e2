import type { KnowledgeMap } from '../schema/knowledge/entry.ts';
import { checkValue } from '../yaml/describe-issue.ts';
import type { Finding } from '../yaml/problem.ts';

/** Checks `knowledge`. Its schema is loaded only for files that have the key. */
export async function checkKnowledge(
  value: unknown,
): Promise<{ data?: KnowledgeMap | undefined; findings: Finding[] }> {
  if (value === undefined) return { findings: [] };
  const { KnowledgeMap } = await import('../schema/knowledge/entry.ts');
  return checkValue(KnowledgeMap, value, { path: ['knowledge'] });
}
