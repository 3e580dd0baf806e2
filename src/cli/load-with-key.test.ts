import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { loadWithKey } from './load-with-key.ts';
import { modelOverrides } from './model-flag.ts';

function agentFile(model = ''): string {
  const file = join(temporaryFolder(), 'agent.yaml');
  writeFileSync(file, `name: helper\ninstructions: Help.\n${model}`);
  return file;
}

async function keyOf(file: string, model: string, env: Record<string, string>): Promise<string | undefined> {
  return (await loadWithKey(file, { env, overrides: modelOverrides(model) })).model.api_key;
}

describe('loadWithKey', () => {
  it.each([
    ['google/gemini-2.5-flash', { GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' }, 'a'],
    ['google/gemini-2.5-flash', { GEMINI_API_KEY: '', GOOGLE_API_KEY: 'b' }, 'b'],
    ['openai/gpt-4o', { OPENAI_API_KEY: 'c' }, 'c'],
    ['anthropic/claude-sonnet-4-5', { ANTHROPIC_API_KEY: 'd' }, 'd'],
    ['ollama/qwen3', { OPENAI_API_KEY: 'c' }, undefined],
  ])('takes the key of %s from %j', async (model, env, expected) => {
    expect(await keyOf(agentFile(), model, env)).toBe(expected);
  });

  it('takes it from .env beside the file', async () => {
    const file = agentFile();
    writeFileSync(join(file, '..', '.env'), 'OPENAI_API_KEY=beside\n');
    expect(await keyOf(file, 'openai/gpt-4o', {})).toBe('beside');
  });

  it('keeps the key that the file gives for the same provider', async () => {
    const file = agentFile(`model: { provider: openai, name: gpt-4o-mini, api_key: "\${MY_KEY}" }\n`);
    expect(await keyOf(file, 'openai/gpt-4o', { MY_KEY: 'mine', OPENAI_API_KEY: 'c' })).toBe('mine');
  });

  it.each([
    ['google/gemini-2.5-flash', 'GEMINI_API_KEY'],
    ['openai/gpt-4o', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
  ])('says for %s to export %s', async (model, variable) => {
    await expect(keyOf(agentFile(), model, {})).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`${model} needs a key: export ${variable}=`),
    });
  });
});
