import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { type OfferedTool, offerTools } from '../../tools/offer.ts';
import type { Tool } from '../../tools/tool.ts';
import { conversationArgumentOf } from '../adapters/adapters.ts';

/** A result that is too large is stored as text. The id is at its beginning. */
const LEADING_ID = /^\{"conversation_id":"([^"\\]+)"/;
const MAX_ID_CHARS = 200;

/** The id of the space's conversation that this call started or continued. */
export function spaceConversationOf({ domain, state, result }: ToolCall): string | undefined {
  if (domain === undefined || state !== 'completed') return undefined;
  const id = isObject(result) ? result.conversation_id : LEADING_ID.exec(String(result))?.[1];
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS ? id : undefined;
}

/**
 * Returns the tools bound to one conversation, so that each space continues its own. The space's id comes from the
 * conversation's own calls (`metadata.spaces`), never from a message. An id from the model is replaced and audited,
 * like every bound argument.
 */
export function withSpaceConversations(
  tools: ReadonlyMap<string, OfferedTool>,
  memory: JsonObject,
): ReadonlyMap<string, OfferedTool> {
  const spaces = isObject(memory.spaces) ? memory.spaces : {};
  const changed = new Map(tools);
  for (const [name, { tool }] of tools) {
    const argument = tool.domain && conversationArgumentOf(tool);
    if (!argument) continue;
    const value = Object.hasOwn(spaces, name) ? spaces[name] : undefined;
    const own = typeof value === 'string' ? withId(tool, argument, value) : withoutId(tool, argument);
    const offered = offerTools([own], { mayLackBound: () => true }).offered.get(name);
    if (offered) changed.set(name, offered);
  }
  return changed;
}

function withId(tool: Tool, argument: string, id: string): Tool {
  return { ...tool, bind: { ...tool.bind, [argument]: id } };
}

/** Sends no id while none is known, even if the model made one up. */
function withoutId(tool: Tool, argument: string): Tool {
  const { [argument]: _id, ...properties } = tool.inputSchema.properties as Record<string, never>; // checked above
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties },
    run: ({ [argument]: _made, ...args }, context) => tool.run(args, context),
  };
}
