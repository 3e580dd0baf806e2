import { isObject, type JsonObject } from '../schema/json.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import { type OfferedTool, offerTools } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';

const GENIE = /^query_space_/;
/** A result too large to keep as data is kept as text; the id is at its beginning. */
const LEADING_ID = /^\{"conversation_id":"([^"\\]+)"/;
const MAX_ID_CHARS = 200;

/** The id of the space's conversation that a call of ours has begun or continued. */
export function spaceConversationOf({ domain, state, result }: ToolCall): string | undefined {
  if (domain === undefined || state !== 'completed') return undefined;
  const id = isObject(result) ? result.conversation_id : LEADING_ID.exec(String(result))?.[1];
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS ? id : undefined;
}

/**
 * The same tools for one conversation: each space continues its own conversation. Its id comes from what the
 * conversation remembers of its own calls (`metadata.spaces`), never from a message. An id that the model sends is
 * replaced, and audited like every bound argument.
 */
export function withSpaceConversations(
  tools: ReadonlyMap<string, OfferedTool>,
  memory: JsonObject,
): ReadonlyMap<string, OfferedTool> {
  const spaces = isObject(memory.spaces) ? memory.spaces : {};
  const changed = new Map(tools);
  for (const [name, { tool }] of tools) {
    const properties = tool.inputSchema.properties;
    const takesId = typeof properties === 'object' && properties !== null && 'conversation_id' in properties;
    if (!GENIE.test(tool.serverName ?? name) || !tool.domain || !takesId) continue;
    const value = Object.hasOwn(spaces, name) ? spaces[name] : undefined;
    const own = typeof value === 'string' ? withId(tool, value) : withoutId(tool);
    const offered = offerTools([own], { mayLackBound: () => true }).offered.get(name);
    if (offered) changed.set(name, offered);
  }
  return changed;
}

function withId(tool: Tool, id: string): Tool {
  return { ...tool, bind: { ...tool.bind, conversation_id: id } };
}

/** Where no conversation is known yet, none is sent, whatever the model made up. */
function withoutId(tool: Tool): Tool {
  const { conversation_id: _id, ...properties } = tool.inputSchema.properties as Record<string, never>; // checked above
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties },
    run: ({ conversation_id: _made, ...args }, context) => tool.run(args, context),
  };
}
