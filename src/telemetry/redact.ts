import { keyRedactor } from '../redaction/redact-keys.ts';
import type { Json } from '../schema/json.ts';

const MAX_CHARS = 8000;

/** Replaces everything that looks like a secret, and cuts the text to a length that receivers accept. */
export function redactText(text: string): string {
  return cut(keyRedactor.text(text));
}

/** Writes a value as JSON text; values of keys that name a secret are hidden. */
export function redactJson(value: Json): string {
  return cut(JSON.stringify(keyRedactor.json(value)));
}

function cut(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
