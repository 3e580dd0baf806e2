import type { Json } from '../schema/json.ts';

const HIDDEN = '[redacted]';
const MAX_CHARS = 8000;
const SECRET_KEY = /pass(word|phrase)?$|secret|token|api[-_]?key|authorization|cookie|credential|private[-_]?key/i;
/** Keys of common providers, bearer tokens, JWTs and passwords inside addresses. */
const SECRET_TEXT = [
  /\b(?:sk|pk|rk|ghp|gho|xox[abp]|AIza|AKIA)[-_A-Za-z0-9]{12,}/g,
  /\bBearer\s+[\w.~+/-]{8,}=*/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g,
];

/** Replaces everything that looks like a secret, and cuts the text to a length that receivers accept. */
export function redactText(text: string): string {
  const redacted = SECRET_TEXT.reduce((all, pattern) => all.replace(pattern, HIDDEN), text);
  return redacted.length > MAX_CHARS ? `${redacted.slice(0, MAX_CHARS)}…` : redacted;
}

/** Writes a value as JSON text; values of keys that name a secret are hidden. */
export function redactJson(value: Json): string {
  const hide = (key: string, inner: unknown) => (SECRET_KEY.test(key) && inner !== null ? HIDDEN : inner);
  return redactText(JSON.stringify(value, hide));
}
