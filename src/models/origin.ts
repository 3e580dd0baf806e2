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

/** Matches values that look like keys: a known prefix, a header, an address, or a long mix of letters and digits. */
const KEY_LIKE: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|ghp|key)[-_][\w*-]{6,}/gi,
  /\bAIza[\w*-]{6,}/g,
  /(?<=\b(?:Bearer|Basic)\s+)[^\s"',]+/gi,
  /(?<=\bkey=)[^\s&"']+/gi,
  /(?<![\w/])(?=[\w+/=*]*\d)(?=[\w+/=*]*[a-z])[\w+/=*]{20,}/gi,
];

/** Shortens text for the log and the author, and removes the key and everything that looks like a key. */
export function redact(text: string, origin: Origin): string {
  const { apiKey = '', headerValues = [] } = origin;
  // Shorter values are plain words.
  const own = [apiKey, ...headerValues.filter((value) => value.length >= 8)].filter((value) => value !== '');
  const withoutOwn = own.reduce((clean, value) => clean.replaceAll(value, '***'), text);
  return KEY_LIKE.reduce((clean, pattern) => clean.replace(pattern, '***'), withoutOwn).slice(0, 2000);
}
