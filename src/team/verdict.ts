import type { JsonObject } from '../schema/json.ts';

/** The JSON Schema of what a member says about a draft. */
export function verdictOf(
  answer: JsonObject = { type: 'string', description: 'The whole answer to send in its place' },
) {
  const keep = { type: 'boolean', description: 'Whether the answer may be sent as it is' };
  const note = { type: 'string', description: 'What is wrong with the answer, in one sentence' };
  return { type: 'object', properties: { keep, answer, note }, required: ['keep'], additionalProperties: false };
}

/** The descriptions of what the member reads; results follow. */
export const MESSAGE = "The user's message";
export const ANSWER = 'The answer, not sent yet';
/** A longer result is cut. */
export const RESULT_CHARS = 16_000;
