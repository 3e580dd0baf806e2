import type * as z from 'zod';
import { type AppError, invalidRequest } from '../../errors.ts';
import { checkValue, JSON_WORDS } from '../../yaml/describe-issue.ts';
import { isRecord } from '../../yaml/parse-yaml.ts';
import { formatPath, type Path } from '../../yaml/problem.ts';

const MAX_PROBLEMS = 20;

/** Returns the checked value, or throws `invalid_request` with the path of every fault. */
export function parseRequest<Output>(schema: z.ZodType<Output>, value: unknown, path: Path = []): Output {
  const { data, findings } = checkValue(schema, value, { path, words: JSON_WORDS, maxFindings: MAX_PROBLEMS });
  // Without findings the value has passed, so it is the schema's output.
  if (findings.length === 0) return data as Output;
  throw invalidAt(...findings.slice(0, MAX_PROBLEMS));
}

/** Copies an object without its null values, which count as absent. */
export function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

/** The error for faults at these paths of the request. */
export function invalidAt(...findings: readonly { path: Path; message: string }[]): AppError {
  return invalidRequest(findings.map(({ path, message }) => ({ path: formatPath(path), message })));
}
