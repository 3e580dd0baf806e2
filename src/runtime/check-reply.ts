import type { Problem } from '../errors.ts';
import { toContent } from '../mcp/elicitation.ts';
import type { CallAnswer, CallWait } from '../schema/event.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Validator } from '../tools/validate.ts';

/** Faults in the answer to a running call's question. A refusal declines it and is never wrong. */
export function checkReply(given: CallAnswer, wait: CallWait | undefined, validator: Validator): Problem[] {
  if ('approved' in given) {
    return given.approved ? [{ path: '', message: 'this call waits for "result"' }] : [];
  }
  if (wait?.kind !== 'input' || !wait.schema || given.result === null) return [];
  const content = toContent(given.result, wait.schema);
  if (!content) return [{ path: 'result', message: "must be an object of the question's schema" }];
  return validator
    .check(wait.schema, withDefaults(content, wait.schema))
    .map(({ path, message }) => ({ path: path ? `result.${path}` : 'result', message }));
}

/** Values that the protocol fills in where the human leaves them out. */
function withDefaults(content: JsonObject, { properties }: JsonObject): JsonObject {
  const fields = Object.entries(isObject(properties) ? properties : {});
  const defaults = fields.flatMap(([name, field]): [string, Json][] =>
    isObject(field) && field.default !== undefined ? [[name, field.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...content };
}
