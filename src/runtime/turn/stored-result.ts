import type { TurnResult } from '../../schema/conversation/turn.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { StoredResult } from '../../store/store.ts';
import { cutText } from '../../tools/sanitize.ts';

/** A turn's result as it is stored: without its messages, and each call's result cut to `maxChars`. */
export function storedResult({ messages: _, ...result }: TurnResult, maxChars: number): StoredResult {
  const tool_calls = result.tool_calls.map((call) =>
    call.result === undefined ? call : { ...call, result: cutResult(call.result, maxChars) },
  );
  return { ...result, tool_calls };
}

/** A table keeps its first rows that fit, because footnotes refer to rows by number. */
function cutResult(result: Json, maxChars: number): Json {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  if (text.length <= maxChars) return result;
  return (isObject(result) && cutRows(result, maxChars)) || cutText(text, maxChars);
}

function cutRows(result: JsonObject, maxChars: number): JsonObject | undefined {
  if (!Array.isArray(result.rows)) return undefined;
  const { rows, ...rest } = result;
  let room = maxChars - JSON.stringify({ ...rest, rows: [], rows_left_out: rows.length }).length;
  if (room < 0) return undefined;
  const end = rows.findIndex((row) => {
    room -= JSON.stringify(row).length + 1;
    return room < 0;
  });
  const kept = rows.slice(0, end);
  return { ...rest, rows: kept, rows_left_out: rows.length - kept.length };
}
