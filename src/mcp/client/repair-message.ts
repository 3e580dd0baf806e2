import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { NO_ANSWER_CODE, UNREADABLE_CODE } from './failure.ts';
import { repairTool } from './repair-tools.ts';

export type RequestId = string | number;

/** Converts the messages of one server into the shape that the SDK accepts. */
export interface MessageRepairer {
  /** Records a message sent to the server. */
  sent(message: unknown): void;
  /**
   * Returns the message, repaired if it is an answer. The SDK drops an answer of another shape, and its call would wait
   * until its deadline. `requestId` is the only request that the message can belong to, if the transport knows it.
   */
  repair(message: Json, requestId?: RequestId): Json;
}

const SERVER_ERROR_CODE = -32_000;
const OWN_CODES: readonly unknown[] = [NO_ANSWER_CODE, UNREADABLE_CODE];
const MAX_MESSAGE_CHARS = 4_000;
const MAX_PAGES = 60;
const MAX_LISTED = 2_000;

export function createMessageRepairer(sdk: { isJSONRPCResponse(value: unknown): boolean }): MessageRepairer {
  const listing = createListing();
  return {
    sent: listing.sent,
    repair(message, requestId) {
      const id = findAnswerId(message, requestId);
      if (id === undefined || !isObject(message)) return message;
      const repaired = repairAnswer(message, id, listing);
      return sdk.isJSONRPCResponse(repaired) ? repaired : unreadable(id);
    },
  };
}

/** The id of the request that a message answers; undefined = it is not an answer. */
export function findAnswerId(message: unknown, requestId?: RequestId): RequestId | undefined {
  if (!isObject(message) || typeof message.method === 'string') return undefined;
  const { id = null } = message;
  if (id === null) return requestId;
  // Some servers return a number as text.
  if (requestId !== undefined && String(id) === String(requestId)) return requestId;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

/** The error that replaces a missing answer. */
export function describeMissing(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: NO_ANSWER_CODE, message: 'broke off without an answer' } };
}

function unreadable(id: RequestId): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: UNREADABLE_CODE, message: 'cannot be read' } };
}

function repairAnswer({ error = null, result = null }: JsonObject, id: RequestId, listing: Listing): JsonObject {
  // `error: null` next to a result is how older JSON-RPC marks success.
  if (error !== null) return { jsonrpc: '2.0', id, error: repairError(error) };
  if (!isObject(result)) return unreadable(id);
  return { jsonrpc: '2.0', id, result: Array.isArray(result.tools) ? listing.repair(result, result.tools) : result };
}

function repairError(error: Json): JsonObject {
  const { code = null, message = null, data } = isObject(error) ? error : { message: error };
  const isUsable = Number.isSafeInteger(code) && !OWN_CODES.includes(code);
  return {
    code: isUsable ? code : SERVER_ERROR_CODE,
    message: typeof message === 'string' ? message.slice(0, MAX_MESSAGE_CHARS) : '',
    ...(data !== undefined && { data }),
  };
}

type Listing = ReturnType<typeof createListing>;

/**
 * The pages of one tool list. A list with repeated cursors or without an end is cut, because the SDK would refuse all
 * of it.
 */
function createListing() {
  const cursors = new Set<Json>();
  let pages = 0;
  let tools = 0;
  return {
    sent(message: unknown) {
      if (!isObject(message) || message.method !== 'tools/list') return;
      const cursor = isObject(message.params) ? message.params.cursor : undefined;
      if (cursor !== undefined) return void cursors.add(cursor);
      cursors.clear();
      pages = 0;
      tools = 0;
    },
    repair(result: JsonObject, listed: readonly Json[]): JsonObject {
      const { nextCursor, ...rest } = result;
      const isModern = 'resultType' in result;
      pages += 1;
      tools += listed.length;
      const isOver =
        typeof nextCursor !== 'string' || cursors.has(nextCursor) || pages >= MAX_PAGES || tools >= MAX_LISTED;
      return {
        ...rest,
        tools: listed.map((tool, index) => repairTool(tool, { position: index + 1, isModern })),
        ...(!isOver && { nextCursor }),
      };
    },
  };
}
