import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { ToolContext } from '../../tools/tool.ts';

/** Answers a server's question through the front end of the call that it belongs to; null declines. */
export async function answerElicitation(
  params: ElicitRequestParams,
  context: ToolContext | undefined,
): Promise<ElicitResult> {
  if (!context || !('requestedSchema' in params)) return { action: 'cancel' };
  // The SDK has checked the request: its schema is JSON.
  const schema = params.requestedSchema as unknown as JsonObject;
  try {
    return toResult(await context.ask({ text: params.message, schema }), schema);
  } catch {
    return { action: 'cancel' };
  }
}

function toResult(answer: Json, schema: JsonObject): ElicitResult {
  if (answer === null) return { action: 'decline' };
  const content = toContent(answer, schema);
  // The SDK checks the content against the protocol's value types and refuses the rest.
  return content ? { action: 'accept', content: content as ElicitResult['content'] } : { action: 'cancel' };
}

/** Converts an answer to the requested form; a bare value fills a form with one field. */
export function toContent(answer: Json, schema: JsonObject): JsonObject | undefined {
  if (isObject(answer)) return answer;
  const [only, ...more] = Object.keys(isObject(schema.properties) ? schema.properties : {});
  return only === undefined || more.length > 0 ? undefined : { [only]: answer };
}
