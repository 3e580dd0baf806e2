import { HIDDEN } from '../redaction/finder.ts';
import { KEY_LIKE, TOKENS } from '../redaction/patterns.ts';
import { createRedactor } from '../redaction/redactor.ts';
import type { Provider } from '../schema/provider.ts';

/** The source of a model's replies, as its error messages name it. */
export interface Origin {
  provider: Provider;
  model: string;
  /** Host and port, never the whole address. */
  host: string;
  /** The environment variable that holds the key. */
  keyVariable?: string;
  /** Used only to redact the key from logs. */
  apiKey?: string;
  /** Values of `model.headers`, redacted as well. */
  headerValues?: readonly string[];
}

const MIN_VALUE_CHARS = 8;
const MAX_CHARS = 2000;

/** Shortens text for the log and the author, and removes the key and everything that looks like a key. */
export function redact(text: string, { apiKey = '', headerValues = [] }: Origin): string {
  // Shorter values of headers are plain words.
  const values = [apiKey, ...headerValues.filter((value) => value.length >= MIN_VALUE_CHARS)];
  const secrets = values.map((value, index) => ({ name: `value_${index}`, value }));
  const patterns = [...TOKENS, ...KEY_LIKE];
  return createRedactor({ secrets, minChars: 1, placeholder: HIDDEN, patterns }).text(text).slice(0, MAX_CHARS);
}
