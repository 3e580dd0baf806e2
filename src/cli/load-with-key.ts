import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readVariables, type Variables } from '../config/fill-env.ts';
import { type LoadOptions, loadAgent } from '../config/load-agent.ts';
import { AppError } from '../errors.ts';
import type { Agent } from '../schema/agent.ts';
import { type Provider, providerFacts } from '../schema/provider.ts';
import type { NamedModel } from './model-flag.ts';

export function keyVariables(provider: Provider): readonly string[] {
  return providerFacts(provider).keyVariables ?? [];
}

/** Loads an agent. A model from a flag takes its key from the files, else from its provider's usual variable. */
export async function loadWithKey(file: string, options: LoadOptions): Promise<Agent> {
  try {
    return await loadAgent(file, options);
  } catch (error) {
    const model = options.overrides?.model as NamedModel | undefined; // made by modelOverrides, from flags only
    if (!model || !isKeyMissing(error)) throw error;
    const api_key = await findKey(file, model, options.env ?? process.env);
    return loadAgent(file, { ...options, overrides: { ...options.overrides, model: { ...model, api_key } } });
  }
}

function isKeyMissing(error: unknown): boolean {
  return error instanceof AppError && error.problems.some(({ path }) => path === 'model.api_key');
}

/** The key may also be in `.env` next to the file, like every variable that the file uses. */
async function findKey(file: string, { provider, name }: NamedModel, env: Variables): Promise<string> {
  const folder = statSync(file).isDirectory() ? file : dirname(file);
  const { variables } = await readVariables(folder, env);
  const names = keyVariables(provider);
  const key = names.map((variable) => variables.get(variable)).find(Boolean);
  if (key) return key;
  const choice = names.map((variable) => `${variable}=…`).join(' or ');
  const detail = `${provider}/${name} needs a key: export ${choice}, or put it into .env next to the agent's file.`;
  throw new AppError('usage', { detail });
}
