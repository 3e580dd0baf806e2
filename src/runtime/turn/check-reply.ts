import type { Problem } from '../../errors.ts';
import { toContent } from '../../mcp/client/elicitation.ts';
import type { CallAnswer, CallWait } from '../../schema/conversation/event.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { Validator } from '../../tools/validate.ts';

/** Finds faults in the answer to a running call's question. A refusal declines the question and is always valid. */
export function checkReply(given: CallAnswer, wait: CallWait | undefined, validator: Validator): Problem[] {
  if ('approved' in given) {
    return given.approved ? [{ path: '', message: 'this call is waiting for "result"' }] : [];
  }
  if (wait?.kind !== 'input' || !wait.schema || given.result === null) return [];
  const content = toContent(given.result, wait.schema);
  if (!content) return [{ path: 'result', message: "must be an object that matches the question's schema" }];
  return validator
    .check(wait.schema, withDefaults(content, wait.schema))
    .map(({ path, message }) => ({ path: path ? `result.${path}` : 'result', message }));
}

/** Fills in the schema's defaults where the human left values out. */
function withDefaults(content: JsonObject, { properties }: JsonObject): JsonObject {
  const fields = Object.entries(isObject(properties) ? properties : {});
  const defaults = fields.flatMap(([name, field]): [string, Json][] =>
    isObject(field) && field.default !== undefined ? [[name, field.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...content };
}
