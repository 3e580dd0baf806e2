import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { agentSecrets, namedValues } from '../../redaction/agent-secrets.ts';
import { isSecretEntry, TOKENS } from '../../redaction/patterns.ts';
import { createRedactor, type Redactor } from '../../redaction/redactor.ts';
import type { NamedSecret } from '../../redaction/secret-forms.ts';
import type { Agent } from '../../schema/agent.ts';
import { type Cassette, hashOf } from './cassette.ts';

const MIN_SECRET_CHARS = 6;
/** Names of the environment that count here in addition to the usual ones. */
const MAYBE_SECRET = /key|auth/i;

/** Values that are words of the protocols, or of most programs. Hiding them would break replies and protect nothing. */
const ORDINARY = new Set(
  `assistant system function content message messages object string number integer boolean required properties arguments
  choices completed default disabled enabled localhost production development staging warning openai anthropic google gemini
  ollama mistral finish_reason tool_calls tool_call tool_use text_delta message_start message_stop content_block_start`.split(
    /\s+/,
  ),
);

/**
 * Redacts a recording: everything of `.env`, secrets of the environment and of the agent's settings, and tokens. A recording and
 * its replay replace the same values by the same names, so their requests are equal even if the values differ.
 */
export function createTapeRedactor(agent: Agent): Redactor {
  return redactorOf(findSecrets(agent));
}

/** The redactor for a replay: it hides the secrets that the recording hid, by the values that they have now. */
export function createReplayRedactor(agent: Agent, { hidden }: Pick<Cassette, 'hidden'>): Redactor {
  if (!hidden) return createRedactor({});
  return redactorOf(findSecrets(agent, hidden).filter(({ name }) => hidden.includes(name)));
}

function redactorOf(secrets: readonly NamedSecret[]): Redactor {
  const standIn = (_: string, _number: number, match: string) => `[key-${hashOf(match).slice(0, 8)}]`;
  return createRedactor({ secrets, minChars: MIN_SECRET_CHARS, patterns: TOKENS, standIn });
}

/** Everything of `.env`, and the secrets of the environment and of the agent's settings. `names`: variables that count whatever their name. */
export function findSecrets(agent: Agent, names: readonly string[] = []): NamedSecret[] {
  const own = readOwnFile(agent.folder);
  const isSecret = ({ name, value }: NamedSecret) =>
    names.includes(name) || Object.hasOwn(own, name) || isSecretEntry(name, value) || MAYBE_SECRET.test(name);
  const values = namedValues({ ...own, ...process.env }).filter(isSecret);
  // The environment replaces values of the file; both may occur.
  const all = [...values, ...namedValues(own), ...agentSecrets(agent)];
  return all.filter(({ value }) => !ORDINARY.has(value.trim().toLowerCase()));
}

function readOwnFile(folder: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  } catch {
    return {};
  }
}
