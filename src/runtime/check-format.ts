import { invalidRequest } from '../errors.ts';
import type { JsonObject } from '../schema/json.ts';

/** Throws if answers cannot be checked with this JSON Schema. */
export async function checkFormat(format: JsonObject, path: string): Promise<void> {
  const { findSchemaProblem } = await import('../tools/validate.ts');
  const problem = findSchemaProblem(format);
  if (problem !== undefined) throw invalidRequest([{ path, message: `is no usable JSON Schema: ${problem}` }]);
}
