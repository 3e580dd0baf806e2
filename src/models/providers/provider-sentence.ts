import { isObject, type Json, parseJson } from '../../schema/json.ts';
import { type Origin, redact } from '../origin.ts';

const MAX_CHARS = 300;

/** The provider's own description of the error: one line without keys. Undefined if the body is a web page. */
export function readSentence(body: string, origin: Origin): string | undefined {
  const text = findText(parseJson(body) ?? body);
  if (text === undefined || /^\s*</.test(text)) return undefined;
  const line = redact(text, origin)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}

/** Providers write `error.message`, `message`, `error`, `detail`, or a list of one of them. */
function findText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(findText).find((text) => text !== undefined);
  if (!isObject(value)) return undefined;
  for (const key of ['error', 'message', 'detail', 'msg']) {
    const found = value[key] === undefined ? undefined : findText(value[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
