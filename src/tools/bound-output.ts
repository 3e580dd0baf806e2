import { ErrorType, type ToolError } from '../schema/conversation/tool-call.ts';
import type { Json } from '../schema/json.ts';
import { cutText, sanitizeJson, sanitizeText } from './sanitize.ts';

export const MAX_RESULT_BYTES = 1_000_000;
const MAX_ERROR_CHARS = 2_000;

/** Prepares a result for storage: sanitized, and if it is too large, cut to its text with a note. */
export function boundResult(result: unknown, maxBytes: number = MAX_RESULT_BYTES): Json {
  // Text beyond the limit is cut in any case. Cutting first keeps the cleaning fast.
  const safe = sanitizeJson(typeof result === 'string' ? cutText(result, maxBytes) : result);
  const text = jsonOf(safe);
  if (Buffer.byteLength(text) <= maxBytes) return safe;
  return cutToBytes(typeof safe === 'string' ? safe : text, maxBytes);
}

const texts = new WeakMap<object, string>();

/** The JSON of a result or an error. Cached, because every step reads it again; neither ever changes. */
export function jsonOf(value: Json | ToolError): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : JSON.stringify(value);
  const text = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/** Cuts so that the text fits as JSON, including escapes and multi-byte characters. */
function cutToBytes(text: string, maxBytes: number): string {
  let maxChars = Math.min(text.length, maxBytes);
  for (;;) {
    const cut = cutText(text, maxChars);
    const bytes = Buffer.byteLength(JSON.stringify(cut));
    if (bytes <= maxBytes || maxChars === 0) return cut;
    maxChars = Math.min(maxChars - 1, Math.floor((maxChars * maxBytes) / bytes));
  }
}

/** Returns an error that people and models can read, whatever a foreign tool sent. */
export function boundError(error: ToolError): ToolError {
  const type = ErrorType.safeParse(error.error_type);
  const message = cutText(sanitizeText(String(error.message)), MAX_ERROR_CHARS).trim();
  return {
    error_type: type.success ? type.data : 'ToolInvocationError',
    message: message === '' ? 'The tool failed without giving a reason.' : message,
    ...(error.details !== undefined && { details: boundResult(error.details) }),
  };
}
