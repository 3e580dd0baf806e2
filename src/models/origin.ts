/** Where a model's replies come from, in the words that its errors use. */
export interface Origin {
  provider: string;
  model: string;
  /** Host and port, never the whole address. */
  host: string;
  /** The environment variable that holds the key. */
  keyVariable?: string;
  /** Only to keep it out of what is logged. */
  apiKey?: string;
  /** Values of `model.headers`, for the same reason. */
  headerValues?: readonly string[];
}

/** Values that look like keys: after a known prefix, in a header or address, or long and of letters and digits. */
const KEY_LIKE: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|ghp|key)[-_][\w*-]{6,}/gi,
  /\bAIza[\w*-]{6,}/g,
  /(?<=\b(?:Bearer|Basic)\s+)[^\s"',]+/gi,
  /(?<=\bkey=)[^\s&"']+/gi,
  /(?<![\w/])(?=[\w+/=*]*\d)(?=[\w+/=*]*[a-z])[\w+/=*]{20,}/gi,
];

/** Text for the log and for the author: short, and without the key or anything like one. */
export function redact(text: string, origin: Origin): string {
  const { apiKey = '', headerValues = [] } = origin;
  // a shorter value is a plain word
  const own = [apiKey, ...headerValues.filter((value) => value.length >= 8)].filter((value) => value !== '');
  const withoutOwn = own.reduce((clean, value) => clean.replaceAll(value, '***'), text);
  return KEY_LIKE.reduce((clean, pattern) => clean.replace(pattern, '***'), withoutOwn).slice(0, 2000);
}
