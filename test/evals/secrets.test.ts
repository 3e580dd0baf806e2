import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { caseTapes } from '../../src/cli/case-tapes.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { cassettePath } from '../../src/evals/cassette/cassette.ts';
import { findSecrets } from '../../src/evals/cassette/tape-redactor.ts';
import { EVENT_STREAM, type FakeReply, sendPieces, startModelServer, writeEvents } from '../fakes/model-server.ts';
import { failuresOf, testAgent, writeAgent } from './scene.ts';

const SHOP_KEY = 'line "one" of it\nline\\two=of/it+é';
const SECRETS = {
  SHOP_KEY,
  SHOP_KEY_LONG: `${SHOP_KEY}-and-the-rest`,
  REGION: 'eu-central-7',
  NUMBER: '48213377',
  MODEL_KEY: 'sk-test-Zq81Lm20Pw93',
  ROLE: 'assistant',
};
const TOKEN = 'ghp_0123456789abcdefABCDEF';
const CASE = {
  name: 'secrets',
  input: `use ${TOKEN} in ${SECRETS.REGION}`,
  files: [{ path: 'note.txt', type: 'text' }],
  approve: true,
  now: '2026-03-02T09:00:00Z',
};
/** A function that shows its secrets in every place of its result, and proves that it got the original argument. */
const FUNCTION = `export default ({ given }, { progress }) => {
  const { SHOP_KEY, SHOP_KEY_LONG, NUMBER } = process.env;
  progress('asking with ' + NUMBER);
  if (given === 'fail') throw Object.assign(new Error('refused ' + NUMBER), { expose: true });
  return {
    isOriginal: given === 'n' + NUMBER,
    ['key ' + NUMBER]: Number(NUMBER),
    url: 'https://shop.example/?region=eu-central-7&q=' + encodeURIComponent(NUMBER + 'x'),
    base64: Buffer.from('user:eu-central-7').toString('base64'),
  };
};
`;

const FUNCTION_TOOL = {
  name: 'ask_shop',
  type: 'function',
  file: 'shop.js',
  description: 'asks the shop in eu-central-7',
  parameters: { type: 'object', properties: { given: { type: 'string' } } },
  env: { SHOP_KEY: `\${SHOP_KEY}`, SHOP_KEY_LONG: `\${SHOP_KEY_LONG}`, NUMBER: `\${NUMBER}` },
};

/** A streamed reply in which every text is cut into pieces of three characters, and the bytes into pieces of 31. */
function reply(deltas: object[], reason: string): FakeReply {
  const chunks = deltas.map((delta) => ({ id: 'r', model: 'm', choices: [{ index: 0, delta }] }));
  const end = { id: 'r', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  const bytes = Buffer.from(writeEvents(...chunks, end, '[DONE]'));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 31) }, (_, at) => bytes.subarray(at * 31, at * 31 + 31));
  return sendPieces(pieces, EVENT_STREAM);
}

const cut = (text: string) => text.match(/[\s\S]{1,3}/g) ?? [];
const textReply = (text: string) =>
  reply(
    cut(text).map((content) => ({ content })),
    'stop',
  );
const callReply = (...calls: object[]) =>
  reply(
    calls.flatMap((args, index) =>
      cut(JSON.stringify(args)).map((piece, at) => ({
        tool_calls: [
          {
            index,
            ...(at === 0 && { id: `c${index}` }),
            function: { ...(at === 0 && { name: 'ask_shop' }), arguments: piece },
          },
        ],
      })),
    ),
    'tool_calls',
  );

function quote(value: string): string {
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}

function writeSecrets(folder: string, secrets: Record<string, string>): void {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${quote(value)}`);
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`);
}

async function runTaped(file: string, options: { record?: boolean; replay?: boolean }) {
  const agent = await loadAgent(file, { withTests: true });
  return testAgent(file, caseTapes(agent, await readTestCases(agent), options));
}

async function record() {
  await using server = await startModelServer([
    callReply({ given: `n${SECRETS.NUMBER}` }, { given: 'fail' }),
    textReply(`The key is ${SECRETS.SHOP_KEY_LONG}, in ${SECRETS.REGION}; yours is ${TOKEN}. Bye.`),
  ]);
  const model = {
    provider: 'openai_compatible',
    name: 'm',
    endpoint: `${server.url}?key=\${NUMBER}`,
    api_key: `\${MODEL_KEY}`,
  };
  const instructions = `Help in \${REGION} with \${SHOP_KEY}.`;
  const file = writeAgent(
    { model, instructions, tools: [FUNCTION_TOOL], test_cases: [CASE] },
    { 'shop.js': FUNCTION, 'note.txt': `the note holds ${SECRETS.NUMBER}`, 'package.json': '{"type":"module"}' },
  );
  writeSecrets(dirname(file), SECRETS);
  expect(failuresOf(await runTaped(file, { record: true }))).toEqual([]);
  const path = cassettePath(join(dirname(file), 'cassettes'), CASE.name);
  return { file, text: readFileSync(path, 'utf8'), requests: server.requests };
}

describe('a recording with secrets', { timeout: 120_000 }, () => {
  it('holds none of them, in no form and across no chunks', async () => {
    const { text, requests } = await record();
    const joined = joinChunks(text);
    for (const secret of [...Object.values({ ...SECRETS, ROLE: '' }).filter(Boolean), TOKEN]) {
      for (const form of formsOf(secret)) {
        expect(text).not.toContain(form);
        expect(joined).not.toContain(form);
      }
    }
    expect(text).toContain('[SHOP_KEY_LONG]');
    expect(text).toContain('isOriginal":true');
    // The provider and the tool work with the original values.
    expect(JSON.stringify(requests)).toContain(SECRETS.NUMBER);
  });

  it('is repeated with the same and with other values of the secrets', async () => {
    const { file } = await record();
    expect(failuresOf(await runTaped(file, { replay: true }))).toEqual([]);
    const others = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, `another-${name.toLowerCase()}`]));
    writeSecrets(dirname(file), { ...others, ROLE: SECRETS.ROLE, REGION: SECRETS.REGION, NUMBER: SECRETS.NUMBER });
    expect(failuresOf(await runTaped(file, { replay: true }))).toEqual([]);
  });
});

/** The texts of all chunks, without what is between them. */
function joinChunks(text: string): string {
  const parts: string[] = [];
  JSON.stringify(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    (_key, value) => {
      if (typeof value === 'string') {
        for (const [, content] of value.matchAll(/"(?:content|arguments|text|delta)":("(?:[^"\\]|\\.)*")/g))
          parts.push(JSON.parse(content ?? '""'));
      }
      return value;
    },
  );
  return parts.join('');
}

function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/.?=*$/, ''),
  ];
}

it('a variable of .env counts with both values if the environment replaces it', async () => {
  const file = writeAgent({}, { '.env': 'REGION=eu-central-7\n' });
  vi.stubEnv('REGION', 'us-west-99');
  onTestFinished(() => void vi.unstubAllEnvs());
  const values = findSecrets(await loadAgent(file)).map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(['eu-central-7', 'us-west-99']));
});
