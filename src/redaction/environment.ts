import { HIDDEN } from './finder.ts';
import { isSecretEntry } from './patterns.ts';
import { createRedactor } from './redactor.ts';
import type { NamedSecret } from './secret-forms.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Removes the values of a program's environment from its output. */
export interface EnvironmentRedactor {
  /** For messages and logs: removes every value of the environment. */
  text(text: string): string;
  /** For texts in results: removes only secrets, because an ordinary value such as a region may be part of a result. */
  result(text: string): string;
}

export function createEnvironmentRedactor(env: Environment): EnvironmentRedactor {
  const hide = (secrets: readonly NamedSecret[]) => createRedactor({ secrets, placeholder: HIDDEN }).text;
  return { text: hide(namedValues(env)), result: hide(secretValues(env)) };
}

export function namedValues(env: Environment): NamedSecret[] {
  return Object.entries(env).map(([name, value = '']) => ({ name, value }));
}

/** The values whose name or shape is that of a secret. */
export function secretValues(env: Environment): NamedSecret[] {
  return namedValues(env).filter(({ name, value }) => isSecretEntry(name, value));
}
