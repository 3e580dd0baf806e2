import { hasSecretShape, isSecretName } from '../schema/secret.ts';

/** Shorter values are words like "1" or "dev"; hiding them would only make a text unreadable. */
const MIN_CHARS = 4;
const HIDDEN = '[redacted]';

/** Removes the values of a program's environment from its output. */
export interface Redactor {
  /** For messages and logs: removes every value of the environment. */
  text(text: string): string;
  /** For texts in results: removes only secrets, because an ordinary value such as a region may be part of a result. */
  result(text: string): string;
}

export function createRedactor(env: Readonly<Record<string, string>>): Redactor {
  const entries = Object.entries(env).filter(([, value]) => value.trim().length >= MIN_CHARS);
  const secrets = entries.filter(([name, value]) => isSecretName(name) || hasSecretShape(value));
  return { text: hideAll(entries), result: hideAll(secrets) };
}

function hideAll(entries: readonly [string, string][]): (text: string) => string {
  const forms = new Set(entries.flatMap(([, value]) => formsOf(value.trim())));
  // The longest comes first, so that a value that contains another one is hidden whole.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/** A value as it is, inside JSON text, and inside an address. */
function formsOf(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}
