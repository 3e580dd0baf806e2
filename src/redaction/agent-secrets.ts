import type { Agent } from '../schema/agent.ts';
import { isObject } from '../schema/json.ts';
import { isSecretEntry } from './patterns.ts';
import type { NamedSecret } from './secret-forms.ts';

const SECRET_KEYS = /^(?:api_key|client_secret|secret)$/;
const PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/i;

/** The secrets in an agent's settings, named by their place: keys, headers, environments of tools, passwords in addresses. */
export function agentSecrets({ model, evaluations, tools, knowledge, server, database }: Agent): NamedSecret[] {
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
  return secrets;
}
