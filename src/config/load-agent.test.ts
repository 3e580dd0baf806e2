import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { AppError } from '../errors.ts';
import { type Agent, AgentFile } from '../schema/agent.ts';
import { Provider } from '../schema/provider.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { agentJsonSchema } from './json-schema.ts';
import { type LoadOptions, loadAgent } from './load-agent.ts';
import { layOutInstructions } from './read-references.ts';

/** Files that are not UTF-8 text, so that no list can hold them. */
const BINARY = {
  'files/binary.bin': Buffer.of(0xff, 0xfe, 0x00),
  'invalid-not-utf8.yaml': Buffer.from(
    '# expect: 3:18: is not valid UTF-8; save it as UTF-8\nname: sample\ninstructions: caf\xe9\n',
    'latin1',
  ),
  'invalid-nul-byte.yaml': Buffer.from(
    '# expect: 2:10: holds a control character; remove it\nname: sam\0ple\ninstructions: Answer.\n',
  ),
  'invalid-utf16.yaml': Buffer.concat([
    Buffer.from('# expect: 2:1: is not valid UTF-8; save it as UTF-8\n\xff\xfe', 'latin1'),
    Buffer.from('name: sample\n', 'utf16le'),
  ]),
};

const FIXTURES = await writeFixtures(join(import.meta.dirname, '../../test/fixtures/agents'));
const CANARY = 'canary-value';
const ENV = {
  CANARY_KEY: `${CANARY}-key`,
  CANARY_TOKEN: `${CANARY}-token`,
  CANARY_SECRET: `${CANARY}-secret`,
  CANARY_WORD: `${CANARY}-word`,
  CANARY_PORT: '9100',
  CANARY_YES: 'true',
  EMPTY_ON_PURPOSE: '',
};
const MINIMAL = 'name: sample\ninstructions: Answer.\n';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'holodeck-config-'));
});
afterAll(async () => {
  for (const folder of [home, FIXTURES]) await rm(folder, { recursive: true });
});

/** Copies the fixtures to a folder of their own. `invalid.txt` and `valid.txt` hold many agents, each after a line `=== name`. */
async function writeFixtures(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-agents-'));
  await mkdir(join(folder, 'files'));
  for (const [name, bytes] of Object.entries(BINARY)) await writeFile(join(folder, name), bytes);
  for (const list of ['invalid.txt', 'valid.txt']) {
    const [, ...agents] = (await readFile(join(source, list), 'utf8')).split(/^=== /m);
    for (const agent of agents) {
      const [name = ''] = agent.split('\n', 1);
      await writeFile(join(folder, name), agent.slice(name.length + 1));
    }
  }
  return folder;
}

/** A new folder with these files. */
async function makeFolder(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(home, 'agent-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function loadError(path: string, options: LoadOptions = {}): Promise<AppError> {
  const outcome = await loadAgent(path, { env: ENV, cwd: FIXTURES, ...options }).catch((error: unknown) => error);
  if (!(outcome instanceof AppError)) throw new Error(`expected an AppError, got ${String(outcome)}`);
  return outcome;
}

async function loadFrom(files: Record<string, string>, options: LoadOptions = {}): Promise<Agent> {
  const folder = await makeFolder(files);
  return loadAgent(folder, { env: {}, cwd: folder, ...options });
}

async function problemsOf(files: Record<string, string | Uint8Array>, options: LoadOptions = {}): Promise<string[]> {
  const folder = await makeFolder(files);
  return (await loadError(folder, { env: {}, cwd: folder, ...options })).message.split('\n');
}

/** As messages list them, for `<providers>` in a fixture. */
const PROVIDERS = Provider.options.join(', ').replace(/, (?=[^,]*$)/, ' or ');
const fixtures = (await readdir(FIXTURES)).filter((name) => name.endsWith('.yaml'));
const invalid = fixtures.filter((name) => name.startsWith('invalid-'));
const valid = fixtures.filter((name) => name.startsWith('valid-'));

describe('loadAgent over the invalid fixtures', () => {
  it.each(invalid)('%s: reports exactly the problems of its first lines', async (name) => {
    const text = await readFile(join(FIXTURES, name), 'utf8');
    const expected = [...text.matchAll(/^# expect: (.*)$/gm)].map(
      ([, line]) => `${name}:${line?.replace('<providers>', PROVIDERS)}`,
    );
    const started = performance.now();
    const error = await loadError(name);
    expect(error.code).toBe('config_invalid');
    expect(error.message.split('\n')).toEqual(expected);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('finds a secret in the model of one measure', async () => {
    const model = '{ provider: openai, name: large, api_key: written-here }';
    const measure = `{ type: geval, name: polite, criteria: polite, model: ${model} }`;
    const text = `name: a\ninstructions: Help.\nevaluations:\n  metrics:\n    - ${measure}\n`;
    const place = 'evaluations.metrics[0].model.api_key: a secret does not belong in a file';
    const problems = await problemsOf({ 'agent.yaml': text }, { withTests: true });
    expect(problems).toEqual([expect.stringContaining(place)]);
  });

  it.each(invalid)('%s: reveals no secret from the environment or the file', async (name) => {
    const { message, problems, cause } = await loadError(name);
    expect(JSON.stringify({ message, problems, cause })).not.toMatch(/canary-(value|in-file)/);
  });

  it('leaves every prototype as it was', () => {
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('loadAgent over the valid fixtures', () => {
  it.each(valid)('%s loads, and loads the same again', async (name) => {
    const load = () => loadAgent(name, { env: ENV, cwd: FIXTURES, withTests: name.includes('tests') });
    expect(await load()).toEqual(await load());
  });

  it('they use every key', async () => {
    const used = new Set<string>();
    for (const name of valid) collectKeys(parseYaml(await readFile(join(FIXTURES, name), 'utf8'), name).value, used);
    expect(schemaKeys(agentJsonSchema()).filter((key) => !used.has(key))).toEqual([]);
  });

  it('keeps every part of an agent with parts, a bound tool and intents', async () => {
    const agent = await loadAgent('valid-todo.yaml', { env: ENV, cwd: FIXTURES });
    const { tools, intents, instructions, folder } = agent;
    expect({ tools, intents, instructions, folder }).toEqual({
      folder: FIXTURES,
      instructions: [
        'You are a helpful Todo Assistant.',
        'CRITICAL RULES:\n- You can ONLY manage tasks for the authenticated user\n- If a tool fails, explain it in plain words',
        'RESPONSE GUIDELINES:\n- Keep responses concise (under 200 words)',
        'Available tools: add_task, list_tasks',
        'The system fills in who the user is: never ask for a user id and never pass one.',
        'Remember: help only with what your role and tools cover. For other requests, politely say what you can do.',
      ].join('\n\n'),
      tools: [
        {
          name: 'tasks',
          type: 'mcp',
          transport: 'builtin',
          server: 'tasks',
          allow: ['add_task', 'list_tasks', 'about'],
          bind: { user_id: '$user.id' },
          unbound: ['about'],
          connection: 'shared',
          approve: ['add_task'],
          idempotent: ['list_tasks'],
        },
      ],
      intents: {
        create_task: {
          tool: 'add_task',
          examples: ['remind me to buy milk'],
          keywords: ['add', 'create'],
          reply: "I've added '{title}' to your tasks",
        },
        unknown: { examples: [], keywords: [] },
      },
    });
  });

  it('reads instructions from their file and does not fill variables there', async () => {
    const { instructions } = await loadAgent('valid-tools.yaml', { env: ENV, cwd: FIXTURES });
    expect(instructions).toBe(
      `Answer from the price list, and only for the user who asks.\n\nUse \${NOTHING} as it is.`,
    );
  });

  it('returns real paths of files, and a separate connection for servers that know the user', async () => {
    const { tools } = await loadAgent('valid-tools.yaml', { env: ENV, cwd: FIXTURES });
    const seen = tools.map((tool) => [tool.name, 'file' in tool && tool.file, 'connection' in tool && tool.connection]);
    expect(seen).toEqual([
      ['price', join(FIXTURES, 'files/price.ts'), false],
      ['files', false, 'per_user'],
      ['remote', false, 'per_user'],
      ['stock', join(FIXTURES, 'files/space.yaml'), 'shared'],
      ['mail', false, 'per_user'],
    ]);
  });

  it('fills variables and keeps escaped ones', async () => {
    const { instructions } = await loadAgent('valid-escapes.yaml', { env: ENV, cwd: FIXTURES });
    expect(instructions).toBe(`Write \${NAME} as it is, $5 and ${CANARY}-word too.`);
  });

  it('lets a variable fill a number where one is wanted, and a text elsewhere', async () => {
    const { description, server } = await loadAgent('valid-number-from-variable.yaml', { env: ENV, cwd: FIXTURES });
    const { port, trust_proxy } = server;
    expect({ description, port, trust_proxy }).toEqual({ description: '9100', port: 9100, trust_proxy: true });
  });

  it('warns once for each key of the Python HoloDeck and leaves it out', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: string) => warnings.push(warning);
    const agent = await loadAgent('valid-python-keys.yaml', { env: ENV, cwd: FIXTURES, onWarning });
    expect(warnings.map((warning) => warning.split(': ')[0])).toEqual(
      ['2:1 author', '8:1 execution', '10:1 deployment', '11:1 claude', '12:1 openai', '9:1 embedding_provider'].map(
        (place) => `valid-python-keys.yaml:${place}`,
      ),
    );
    expect(warnings[0]).toBe('valid-python-keys.yaml:2:1 author: not supported yet; it has no effect');
    expect(agent).not.toHaveProperty('author');
  });
});

describe('loadAgent and the file itself', () => {
  it('throws config_not_found for a file or folder that is not there', async () => {
    const detail = 'no such file. Give the path of an agent.yaml, or create one with holodeck init';
    for (const path of ['nowhere/agent.yaml', 'invalid-empty.yaml/agent.yaml']) {
      const error = await loadError(path);
      expect([error.code, error.message]).toEqual(['config_not_found', `${path}: ${detail}`]);
    }
    expect((await loadError('files')).message).toBe(`files/agent.yaml: ${detail}`);
    expect((await loadError('a\0b')).code).toBe('config_not_found');
  });

  it('takes the folder for the agent.yaml in it', async () => {
    expect((await loadFrom({ 'agent.yaml': MINIMAL })).name).toBe('sample');
  });

  it('refuses an empty file, a huge file, a file of many tiny parts and a device', async () => {
    expect(await problemsOf({ 'agent.yaml': '' })).toEqual(['agent.yaml:1:1: is empty; begin with "name:"']);
    const huge = `${MINIMAL}description: ${'x'.repeat(256 * 1024)}\n`;
    expect(await problemsOf({ 'agent.yaml': huge })).toEqual(['agent.yaml: is larger than 256 KB; make it smaller']);
    const parts = '[,'.repeat(100_000);
    const tooMany = 'agent.yaml:1:1: has too many parts; move some of it to files of its own';
    expect(await problemsOf({ 'agent.yaml': parts })).toEqual([tooMany]);
    expect((await loadError('/dev/zero')).message).toBe('/dev/zero: is not a regular file');
  });

  it('does not wait for a pipe', async () => {
    const folder = await makeFolder({});
    execFileSync('mkfifo', [join(folder, 'agent.yaml')]);
    expect((await loadError(folder, { cwd: folder })).message).toBe('agent.yaml: is not a regular file');
  });

  it('refuses a link that leads out of the folder, wherever a file is named', async () => {
    const outside = await makeFolder({ 'secret.md': 'x' });
    const tool = '{ name: a, type: function, file: linked/secret.md, description: A }';
    const folder = await makeFolder({
      'agent.yaml': `name: sample\ninstructions: { file: link.md }\ntools: [${tool}]\n`,
    });
    await symlink(join(outside, 'secret.md'), join(folder, 'link.md'));
    await symlink(outside, join(folder, 'linked'));
    const error = await loadError(folder, { cwd: folder });
    const out = "leads out of the agent's folder; move the file into it";
    expect(error.message.split('\n')).toEqual([
      `agent.yaml:2:23 instructions.file: ${out}`,
      `agent.yaml:3:42 tools[0].file: ${out}`,
    ]);
  });

  it('follows a link that stays inside', async () => {
    const folder = await makeFolder({ 'agent.yaml': 'name: a\ninstructions: { file: now.md }\n', 'v1/now.md': 'Hi.' });
    await symlink(join(folder, 'v1/now.md'), join(folder, 'now.md'));
    expect((await loadAgent(folder, { env: {}, cwd: folder })).instructions).toBe('Hi.');
  });
});

describe('loadAgent and the environment', () => {
  const agentYaml = `${MINIMAL}description: \${WORD}\n`;

  it('reads .env beside the file; the real environment wins; neither is changed', async () => {
    const files = { 'agent.yaml': agentYaml, '.env': '# words\nexport WORD="from file"\n__proto__=x\n' };
    const env = { WORD: 'real' };
    const before = structuredClone(process.env);
    expect((await loadFrom(files)).description).toBe('from file');
    expect((await loadFrom(files, { env })).description).toBe('real');
    expect([env, { ...process.env }]).toEqual([{ WORD: 'real' }, before]);
  });

  it('names a variable that is missing or empty', async () => {
    const advice = "Put it in .env next to the agent's file, or export it";
    const where = 'agent.yaml:3:14 description: WORD';
    expect(await problemsOf({ 'agent.yaml': agentYaml })).toEqual([`${where} is not set. ${advice}`]);
    const empty = { 'agent.yaml': agentYaml, '.env': 'WORD=\n' };
    expect(await problemsOf(empty)).toEqual([`${where} is empty. ${advice}`]);
  });

  it('never lets a value change the shape of the document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (word) => {
        fc.pre(word.trim() !== '');
        expect((await loadFrom({ 'agent.yaml': agentYaml }, { env: { WORD: word } })).description).toBe(word);
      }),
      { numRuns: 30 },
    );
    for (const word of ['{ port: 1 }', '0x10', '1e3', 'NaN', ' ', '9100 # x']) {
      const port = { 'agent.yaml': `${MINIMAL}server: { port: "\${WORD}" }\n` };
      const where = 'agent.yaml:3:17 server.port: must be a number, got a string';
      expect(await problemsOf(port, { env: { WORD: word } })).toEqual([where]);
    }
    const env = { WORD: 'a\ndatabase: postgres://evil' };
    expect((await loadFrom({ 'agent.yaml': agentYaml }, { env })).database).toBeUndefined();
  });
});

describe('loadAgent and its layers', () => {
  const project = 'limits: { message_chars: 3, history_messages: 3, tool_output_chars: 3 }\n';
  const user = 'limits: { message_chars: 4, history_messages: 4, tool_output_chars: 4, context_tokens: 4 }\n';
  const agentYaml = `${MINIMAL}limits: { message_chars: 2, history_messages: 2 }\n`;
  const files = { 'agent.yaml': agentYaml, 'holodeck.yaml': project, 'xdg/holodeck/config.yaml': user };

  async function load(more: Record<string, string>, overrides: Record<string, unknown> = {}): Promise<Agent> {
    const folder = await makeFolder({ ...files, ...more });
    return loadAgent(folder, { cwd: folder, env: { XDG_CONFIG_HOME: join(folder, 'xdg') }, overrides });
  }

  it('takes flag over agent.yaml over project over user over default', async () => {
    const { limits, loop } = await load({}, { limits: { message_chars: 1, history_messages: undefined } });
    const own = { message_chars: 1, history_messages: 2, tool_output_chars: 3, context_tokens: 4 };
    expect(limits).toEqual({ ...own, calls_per_reply: 64, delegations: 8, depth: 3 });
    expect(loop.max_iterations).toBe(15);
  });

  it('looks for holodeck.yaml in the working directory when there is none beside the agent', async () => {
    const cwd = await makeFolder({ 'holodeck.yaml': 'server: { port: 9000 }\n', 'a/agent.yaml': MINIMAL });
    expect((await loadAgent('a', { env: {}, cwd })).server.port).toBe(9000);
  });

  it('reads the user file below the home folder', async () => {
    const folder = await makeFolder({
      'agent.yaml': MINIMAL,
      '.config/holodeck/config.yaml': 'server: { port: 9001 }',
    });
    expect((await loadAgent(folder, { env: { HOME: folder }, cwd: '/' })).server.port).toBe(9001);
  });

  it('reports a problem in the file that contains it', async () => {
    const cwd = await makeFolder({
      'agent.yaml': `${MINIMAL}loop: { max_iterations: 3 }\n`,
      'holodeck.yaml': '\nloop: { parallel_tool_calls: 0 }\ntools: []\nmodle: {}\n',
    });
    const error = await loadError('.', { cwd, env: {}, overrides: { server: { port: 0 } } });
    expect(error.message.split('\n').toSorted()).toEqual([
      'command line server.port: must be at least 1',
      'holodeck.yaml:2:30 loop.parallel_tool_calls: must be at least 1',
      'holodeck.yaml:3:1 tools: belongs in agent.yaml; move it there',
      'holodeck.yaml:4:1 modle: unknown key, did you mean model?',
    ]);
  });

  it('gives no name, address or key of one provider to another', async () => {
    const below = `model: { provider: openai, name: gpt, endpoint: https://a.example, api_key: "\${NOT_SET}", max_tokens: 7 }\n`;
    const model = { provider: 'ollama', name: 'llama' };
    const loaded = await load({ 'holodeck.yaml': below }, { model });
    expect(loaded.model).toEqual({ ...model, max_tokens: 7 });
  });

  it('takes overrides as they are, a literal key too', async () => {
    const model = { provider: 'openai', name: 'gpt', api_key: `sk-\${literal}` };
    expect((await load({}, { model })).model.api_key).toBe(`sk-\${literal}`);
  });
});

describe('loadAgent whatever it is given', () => {
  const onlyConfigErrors = async (content: string | Uint8Array) => {
    const folder = await makeFolder({ 'agent.yaml': content });
    const outcome = await loadAgent(folder, { env: {}, cwd: folder }).catch((error: unknown) => error);
    const isFine = outcome instanceof AppError ? outcome.code === 'config_invalid' : 'folder' in Object(outcome);
    expect(isFine, String(outcome)).toBe(true);
  };

  it('never throws anything but config_invalid for arbitrary bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), onlyConfigErrors), { numRuns: 150 });
  });

  it('never throws anything but config_invalid for arbitrary text that looks like YAML', async () => {
    const piece = fc.constantFrom(
      ...': - [ ] { } & * ! | > % @ ` " \' # , ? \n \n\n   \t a $ { << --- ...'.split(' '),
      ' ',
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(fc.asyncProperty(text, onlyConfigErrors), { numRuns: 150 });
  });

  it('never throws anything but config_invalid for arbitrary values under known keys', async () => {
    const known = fc.constantFrom(...Object.keys(AgentFile.shape));
    const value = fc.dictionary(fc.oneof(known, fc.string()), fc.jsonValue(), { maxKeys: 6 });
    const text = value.map((content) => stringify({ ...content }));
    await fc.assert(fc.asyncProperty(text, onlyConfigErrors), {
      numRuns: 150,
      examples: [['toString: null\n"": []\n']],
    });
  });
});

function collectKeys(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    into.add(key);
    collectKeys(inner, into);
  }
}

/** Every property name that a JSON Schema knows. */
function schemaKeys(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
  return [...properties, ...Object.values(schema).flatMap(schemaKeys)];
}

it('keeps the scope and the claim of groups beside a file of keys', async () => {
  const auth = {
    jwt: { jwks_file: 'keys.json', issuer: 'i', audience: 'a' },
    developer_scope: 'debug',
    groups_claim: 'roles',
  };
  const folder = await makeFolder({
    'agent.yaml': `${MINIMAL}${stringify({ server: { auth } })}`,
    'keys.json': '{"keys":[]}',
  });
  const agent = await loadAgent(join(folder, 'agent.yaml'));
  expect(agent.server.auth).toEqual({ ...auth, jwt: { ...auth.jwt, jwks_file: expect.stringMatching(/keys\.json$/) } });
});

const validate = new Ajv2020({ strict: false }).compile(agentJsonSchema());

describe('agentJsonSchema', () => {
  it('is a schema with a title that asks for name and instructions only', () => {
    const { $schema, title, required } = agentJsonSchema();
    expect({ $schema, title, required }).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'HoloDeck agent',
      required: ['name', 'instructions'],
    });
  });

  it.each([
    [{ name: 'a', instructions: 'Answer.' }, true],
    [{ name: 'a', instructions: { file: 'a.md' }, model: { endpoint: `\${URL}` } }, true],
    [
      { name: 'a', instructions: 'Answer.', tools: [{ name: 'a', type: 'mcp', transport: 'stdio', command: 'x' }] },
      true,
    ],
    [{ name: 'a', instructions: 'Answer.', tools: [{ name: 'a', type: 'mcp', transport: 'stdio' }] }, false],
    [{ name: '1', instructions: 'Answer.' }, false],
    [{ name: 'a', instructions: 'Answer.', modle: {} }, false],
    [{ name: 'a', instructions: 'Answer.', server: { port: 0 } }, false],
  ])('judges %j: %s', (value, isValid) => {
    expect(validate(value)).toBe(isValid);
  });
});

const CLOSING =
  'Remember: help only with what your role and tools cover. For other requests, politely say what you can do.';

describe('layOutInstructions', () => {
  it('leaves out an empty list of rules, and the line about the user if no tool is bound', () => {
    const parts = { role: 'Be a guide!', rules: [], guidelines: ['Be brief '], tools: ' Use find.\n' };
    expect(layOutInstructions(parts, false)).toBe(
      ['Be a guide!', 'RESPONSE GUIDELINES:\n- Be brief', 'Use find.', CLOSING].join('\n\n'),
    );
  });
});
