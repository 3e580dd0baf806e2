import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelOverrides } from '../src/cli/model-flag.ts';
import { type LoadOptions, loadAgent } from '../src/config/load-agent.ts';
import { runAgent } from '../src/runtime/run-agent.ts';
import { ALICE, buildAgent } from './build.ts';
import { sendStatus, startModelServer } from './fakes/model-server.ts';
import { temporaryFolder } from './runtime.ts';

/** Loads an agent.yaml with this model, and a `.env` beside it. */
async function load(model: string, { dotEnv = '', ...options }: LoadOptions & { dotEnv?: string } = {}) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'agent.yaml'), `name: helper\ninstructions: Help.\nmodel: ${model}\n`);
  if (dotEnv) writeFileSync(join(folder, '.env'), dotEnv);
  return loadAgent(folder, { env: {}, cwd: folder, ...options });
}

const GEMINI = 'endpoint: "https://generativelanguage.googleapis.com/v1beta/openai/"';
const AZURE = 'provider: azure_openai, name: m, endpoint: "https://shop.openai.azure.com"';

/** Each provider, and the variable of its key. */
const KEYS: [string, string][] = [
  ['provider: openai, name: m', 'OPENAI_API_KEY'],
  ['provider: anthropic, name: m', 'ANTHROPIC_API_KEY'],
  ['provider: google, name: m', 'GEMINI_API_KEY'],
  ['provider: google, name: m', 'GOOGLE_API_KEY'],
  [`provider: google, name: m, ${GEMINI}`, 'GEMINI_API_KEY'],
  ['provider: openrouter, name: m', 'OPENROUTER_API_KEY'],
  [AZURE, 'AZURE_OPENAI_API_KEY'],
  [`provider: openai_compatible, name: m, ${GEMINI}`, 'GEMINI_API_KEY'],
];

describe('a model without api_key', () => {
  it.each(KEYS)('{ %s } takes it from %s, exported or in .env', async (model, variable) => {
    expect((await load(`{ ${model} }`, { env: { [variable]: 'a' } })).model.api_key).toBe('a');
    expect((await load(`{ ${model} }`, { dotEnv: `${variable}=b\n` })).model.api_key).toBe('b');
    const fallback = `{ provider: ollama, name: m, fallback: { ${model} } }`;
    expect((await load(fallback, { dotEnv: `${variable}=c\n` })).model.fallback?.api_key).toBe('c');
  });

  it.each(KEYS)('{ %s } names %s if it is missing or empty', async (model, variable) => {
    const advice = new RegExp(`model.api_key: is missing; export .*${variable}=….*, or put it into .env next to`);
    await expect(load(`{ ${model} }`)).rejects.toThrow(advice);
    await expect(load(`{ ${model} }`, { env: { [variable]: ' ' } })).rejects.toThrow(advice);
    await expect(load(`{ provider: builtin, fallback: { ${model} } }`)).rejects.toThrow(/model.fallback.api_key: is/);
  });

  it.each([
    'provider: builtin',
    'provider: ollama, name: m',
    'provider: openai_compatible, name: m, endpoint: "http://127.0.0.1:1234/v1"',
    'provider: openai_compatible, name: m, endpoint: "https://gateway.example/v1"',
  ])('{ %s } needs none and is given none', async (model) => {
    const env = { OPENAI_API_KEY: 'a', GEMINI_API_KEY: 'b' };
    expect((await load(`{ ${model} }`, { env })).model.api_key).toBeUndefined();
  });

  it('prefers the first variable, and the environment to .env', async () => {
    const google = '{ provider: google, name: m }';
    const keyOf = async (options: Parameters<typeof load>[1]) => (await load(google, options)).model.api_key;
    expect(await keyOf({ env: { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: 'a' } })).toBe('a');
    expect(await keyOf({ env: { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: '' } })).toBe('b');
    expect(await keyOf({ env: { GEMINI_API_KEY: 'a' }, dotEnv: 'GEMINI_API_KEY=c\n' })).toBe('a');
  });

  it('is found for a judge too', async () => {
    const metric = '{ type: geval, name: Kind, criteria: Kind?, model: { provider: anthropic, name: m } }';
    const judge = `evaluations: { model: { provider: openai, name: m }, metrics: [${metric}] }`;
    const agent = await load(`{}\n${judge}`, { dotEnv: 'OPENAI_API_KEY=a\nANTHROPIC_API_KEY=b\n', withTests: true });
    expect(agent.evaluations).toMatchObject({ model: { api_key: 'a' }, metrics: [{ model: { api_key: 'b' } }] });
  });

  it('is named for an agent in code', async () => {
    const agent = buildAgent({ model: { provider: 'azure_openai', name: 'm', endpoint: 'https://a.example' } });
    await expect(runAgent({ agent, user: ALICE, message: 'Hi' }).next()).rejects.toThrow(/AZURE_OPENAI_API_KEY/);
  });
});

describe('a model of a flag', () => {
  it('takes the key that the file gives for the same provider, else the usual one', async () => {
    const own = `{ provider: openai, name: small, api_key: "\${MY_KEY}" }`;
    const env = { MY_KEY: 'mine', OPENAI_API_KEY: 'usual', ANTHROPIC_API_KEY: 'other' };
    const keyOf = async (model: string) => (await load(own, { env, overrides: modelOverrides(model) })).model.api_key;
    expect(await keyOf('openai/large')).toBe('mine');
    expect(await keyOf('anthropic/large')).toBe('other');
    expect(await keyOf('ollama/qwen3')).toBeUndefined();
  });

  it('names the variable that is missing', async () => {
    await expect(load('{}', { overrides: modelOverrides('openai/large') })).rejects.toThrow(/export OPENAI_API_KEY=/);
  });
});

describe('the usual key of a provider', () => {
  it.each([
    ['openai', 'authorization', 'Bearer usual'],
    ['anthropic', 'x-api-key', 'usual'],
    ['google', 'x-goog-api-key', 'usual'],
    ['openrouter', 'authorization', 'Bearer usual'],
    ['azure_openai', 'api-key', 'usual'],
  ])('of %s goes to the address of its own file, as %s', async (provider, header, value) => {
    await using server = await startModelServer([sendStatus(401)]);
    const names = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'OPENROUTER', 'AZURE_OPENAI'];
    const dotEnv = names.map((name) => `${name}_API_KEY=usual\n`).join('');
    const agent = await load(`{ provider: ${provider}, name: m, endpoint: "${server.url}" }`, { dotEnv });
    for await (const _ of runAgent({ agent, user: ALICE, message: 'Hi', folder: temporaryFolder() }));
    expect(server.requests.map(({ headers }) => headers[header])).toEqual([value]);
  });

  it('never goes to an address that another file names', async () => {
    const folder = temporaryFolder();
    const options = { env: { OPENAI_API_KEY: 'a' }, cwd: folder };
    writeFileSync(join(folder, 'agent.yaml'), 'name: a\ninstructions: Help.\nmodel: { provider: openai, name: m }\n');
    writeFileSync(join(folder, 'holodeck.yaml'), 'model: { endpoint: "https://elsewhere.example" }\n');
    await expect(loadAgent(folder, options)).rejects.toThrow(/model.endpoint: the key comes from agent.yaml/);
  });
});

describe("Gemini's address of OpenAI's protocol", () => {
  it.each(['google', 'openai_compatible'])('is spoken to in that protocol by %s', async (provider) => {
    await using server = await startModelServer([sendStatus(401)]);
    const model = `{ provider: ${provider}, name: m, endpoint: "${server.url}/v1beta/openai/", api_key: "\${KEY}" }`;
    const agent = await load(model, { env: { KEY: 'k' } });
    for await (const _ of runAgent({ agent, user: ALICE, message: 'Hi', folder: temporaryFolder() }));
    const [request] = server.requests;
    expect([request?.path, request?.headers.authorization]).toEqual(['/v1beta/openai/chat/completions', 'Bearer k']);
  });
});
