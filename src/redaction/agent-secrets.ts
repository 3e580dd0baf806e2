import type { Agent } from '../schema/agent.ts';
import { isObject } from '../schema/json.ts';
import { HIDDEN } from './finder.ts';
import { isSecretEntry } from './patterns.ts';
import { createRedactor } from './redactor.ts';
import type { NamedSecret } from './secret-forms.ts';

const SECRET_KEYS = /^(?:api_key|client_secret|secret)$/;
const PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/i;

/** The secrets in the settings of an agent and its members, named by their place: keys, headers, environments of tools, passwords in addresses. */
export function agentSecrets(agent: Agent): NamedSecret[] {
  const { model, evaluations, tools, knowledge, server, database, members = {} } = agent;
  const secrets: NamedSecret[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      const [key = '', parent = ''] = path.toReversed();
      const isSecret = parent === 'headers' || SECRET_KEYS.test(key) || (parent === 'env' && isSecretEntry(key, value));
      const secret = isSecret ? value : PASSWORD.exec(value)?.[1];
      if (secret) secrets.push({ name: path.join('.'), value: secret.replace(/^(?:Bearer|Basic)\s+/i, '') });
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, [...path, String(index)]);
    } else if (isObject(value)) {
      for (const [key, one] of Object.entries(value)) visit(one, [...path, key]);
    }
  };
  visit({ model, evaluations, tools, knowledge, server, database }, []);
  return [...secrets, ...Object.values(members).flatMap(agentSecrets)];
}

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
