import type { z } from 'zod';
import { AppError } from '../errors.ts';

const MAX_PROBLEMS = 20;

/** A checked value, or `invalid_request` with the path of everything that is wrong. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown, where = ''): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    path: [...(where ? [where] : []), ...path].map(String).join('.'),
    message,
  }));
  const detail = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  throw new AppError('invalid_request', { detail, problems });
}
