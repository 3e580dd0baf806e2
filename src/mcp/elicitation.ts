import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { ToolContext } from '../tools/tool.ts';

/** A server's question to the human, answered through the front end of the call that it belongs to; null is a no. */
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
  // The SDK checks what goes out against the protocol's value types and refuses the rest.
  if (isObject(answer)) return { action: 'accept', content: answer as ElicitResult['content'] };
  const [only, ...more] = Object.keys(isObject(schema.properties) ? schema.properties : {});
  if (only === undefined || more.length > 0) return { action: 'cancel' };
  return { action: 'accept', content: { [only]: answer } as ElicitResult['content'] };
}
