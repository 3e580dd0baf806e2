import { hasSecretShape, isSecretName } from '../schema/secret.ts';

/** Shorter values are words like "1" or "dev": hiding them would only make a text unreadable. */
const MIN_CHARS = 4;
const HIDDEN = '[redacted]';

/** Keeps the values of a program's environment out of what it says. */
export interface Redactor {
  /** For messages and logs: no value of the environment. */
  text(text: string): string;
  /** For texts inside results: no secret of the environment. An ordinary value, such as a region, may be part of one. */
  result(text: string): string;
}

export function createRedactor(env: Readonly<Record<string, string>>): Redactor {
  const entries = Object.entries(env).filter(([, value]) => value.trim().length >= MIN_CHARS);
  const secrets = entries.filter(([name, value]) => isSecretName(name) || hasSecretShape(value));
  return { text: hideAll(entries), result: hideAll(secrets) };
}

function hideAll(entries: readonly [string, string][]): (text: string) => string {
  const forms = new Set(entries.flatMap(([, value]) => formsOf(value.trim())));
  // The longest first: a value that holds another one is hidden whole.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/** A value as it is, as part of a JSON text, and as part of an address. */
function formsOf(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}
