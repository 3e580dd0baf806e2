import type { Json } from '../schema/json.ts';
import { ErrorType, type ToolError } from '../schema/tool-call.ts';
import { cutText, sanitizeJson, sanitizeText } from './sanitize.ts';

export const MAX_RESULT_BYTES = 1_000_000;
const MAX_ERROR_CHARS = 2_000;

/** A result as it is stored and sent: sanitized, and when it is too large its text with a note of what was left out. */
export function boundResult(result: unknown, maxBytes: number = MAX_RESULT_BYTES): Json {
  // A text this long is cut anyway; cutting first keeps the cleaning short.
  const safe = sanitizeJson(typeof result === 'string' ? cutText(result, maxBytes) : result);
  const text = JSON.stringify(safe);
  if (Buffer.byteLength(text) <= maxBytes) return safe;
  return cutToBytes(typeof safe === 'string' ? safe : text, maxBytes);
}

/** Cuts so that the text as JSON, with its escapes and multi-byte characters, fits. */
function cutToBytes(text: string, maxBytes: number): string {
  let maxChars = Math.min(text.length, maxBytes);
  for (;;) {
    const cut = cutText(text, maxChars);
    const bytes = Buffer.byteLength(JSON.stringify(cut));
    if (bytes <= maxBytes || maxChars === 0) return cut;
    maxChars = Math.min(maxChars - 1, Math.floor((maxChars * maxBytes) / bytes));
  }
}

/** An error that a person and a model can read, whatever a foreign tool made of it. */
export function boundError(error: ToolError): ToolError {
  const type = ErrorType.safeParse(error.error_type);
  const message = cutText(sanitizeText(String(error.message)), MAX_ERROR_CHARS).trim();
  return {
    error_type: type.success ? type.data : 'ToolInvocationError',
    message: message === '' ? 'The tool failed without saying why.' : message,
    ...(error.details !== undefined && { details: boundResult(error.details) }),
  };
}
