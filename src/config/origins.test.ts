import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import type { AppError } from '../errors.ts';
import { readAgent } from './load-agent.ts';

const AGENT = 'name: helper\ninstructions: Help.\n';
const env = { KEY: 'sk-1', OTHER: 'o-1' };
const PROVIDER = 'provider: openai, name: gpt';
const KEY = `api_key: "\${KEY}"`;
const ADDRESS = 'endpoint: "https://a.example"';
const SECRET_HEADER = `headers: { X-Team: "\${OTHER}" }`;

type Files = { agent?: string; project?: string; user?: string; foreign?: string };

/** The outcome of reading an agent from layers with these parts. */
async function read({ agent = '', project, user, foreign }: Files, overrides = {}) {
  const home = temporaryFolder();
  const files = {
    'agents/a/agent.yaml': `${AGENT}${agent}\n`,
    'agents/a/holodeck.yaml': project,
    'elsewhere/holodeck.yaml': foreign,
    'config/holodeck/config.yaml': user,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    if (text !== undefined) writeFileSync(join(home, name), text);
  }
  const warnings: string[] = [];
  const options = {
    cwd: join(home, 'elsewhere'),
    env: { ...env, XDG_CONFIG_HOME: join(home, 'config') },
    overrides,
    onWarning: (text: string) => warnings.push(text),
  };
  const problems = await readAgent(join(home, 'agents/a'), options).then(
    () => [],
    (error: AppError) => error.problems.map(({ path }) => path),
  );
  return { problems, warnings: warnings.map((text) => text.replaceAll(`${home}/`, '')) };
}

const FINE = { problems: [], warnings: [] };
const refused = (...problems: string[]) => ({ problems, warnings: [] });

describe('an address and its key', () => {
  it.each<[string, Files, object]>([
    ['both in agent.yaml', { agent: `model: { ${PROVIDER}, ${KEY}, ${ADDRESS}, ${SECRET_HEADER} }` }, FINE],
    ['both beside agent.yaml', { project: `model: { ${PROVIDER}, ${KEY}, ${ADDRESS} }` }, FINE],
    [
      'the key in agent.yaml, the address beside it',
      { agent: `model: { ${PROVIDER}, ${KEY} }`, project: `model: { ${ADDRESS} }` },
      refused('model.endpoint'),
    ],
    [
      'the key in the user’s settings, the address in agent.yaml',
      { agent: `model: { ${PROVIDER}, ${ADDRESS} }`, user: `model: { ${KEY} }` },
      refused('model.endpoint'),
    ],
    [
      'a secret header in the user’s settings, the address in agent.yaml',
      { agent: `model: { ${PROVIDER}, ${KEY}, ${ADDRESS} }`, user: `model: { ${SECRET_HEADER} }` },
      refused('model.endpoint'),
    ],
    [
      'a plain header in the user’s settings',
      { agent: `model: { ${PROVIDER}, ${KEY}, ${ADDRESS} }`, user: 'model: { headers: { X-Title: mine } }' },
      FINE,
    ],
    [
      'a header beside agent.yaml, the key in it',
      { agent: `model: { ${PROVIDER}, ${KEY} }`, project: 'model: { headers: { X-Forward: a } }' },
      refused('model.headers.X-Forward'),
    ],
    [
      'the fallback’s key in agent.yaml, its address beside it',
      {
        agent: `model: { ${PROVIDER}, ${KEY}, fallback: { ${PROVIDER}, ${KEY} } }`,
        project: `model: { fallback: { ${ADDRESS} } }`,
      },
      refused('model.fallback.endpoint'),
    ],
    [
      'captured content of agent.yaml, its receiver beside it',
      {
        agent: 'observability: { enabled: true, capture_content: true }',
        project: 'observability: { otlp_endpoint: "https://a.example" }',
      },
      refused('observability.otlp_endpoint'),
    ],
    [
      'content that is not captured',
      { agent: 'observability: { enabled: true }', project: 'observability: { otlp_endpoint: "https://a.example" }' },
      FINE,
    ],
    [
      'the address in the user’s settings',
      { agent: `model: { ${PROVIDER}, ${KEY} }`, user: `model: { ${ADDRESS} }` },
      {
        problems: [],
        warnings: [
          'config/holodeck/config.yaml:1:20 model.endpoint: receives the key that comes from agents/a/agent.yaml',
        ],
      },
    ],
  ])('%s', async (_, files, expected) => {
    expect(await read(files)).toEqual(expected);
  });

  it('a key of the command line does not go to the address of a file', async () => {
    const model = { provider: 'openai', name: 'gpt', api_key: 'sk-2' };
    expect(await read({ agent: `model: { ${PROVIDER}, ${KEY}, ${ADDRESS} }` }, { model })).toEqual(
      refused('model.endpoint'),
    );
  });
});

describe('holodeck.yaml of a working directory that does not hold the agent', () => {
  it.each([
    ['model', `{ ${PROVIDER}, ${KEY}, ${ADDRESS} }`, 'model.endpoint'],
    ['model', `{ headers: { X-Forward: a } }`, 'model.headers'],
    ['observability', '{ otlp_endpoint: "https://a.example" }', 'observability.otlp_endpoint'],
    ['server', '{ cors_origins: ["https://a.example"] }', 'server.cors_origins'],
    ['server', '{ allowed_hosts: [a.example] }', 'server.allowed_hosts'],
    ['server', '{ auth: { jwt: { jwks_url: "https://a.example/keys", issuer: a, audience: b } } }', 'server.auth'],
  ])('must not set %s: %s', async (key, value, path) => {
    expect((await read({ foreign: `${key}: ${value}` })).problems).toContain(path);
  });

  it('may set values that are not addresses', async () => {
    expect(await read({ foreign: 'server: { port: 9000 }\nloop: { max_iterations: 3 }' })).toEqual(FINE);
  });
});
