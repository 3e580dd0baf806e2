import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileLog } from '../src/cli/open-agent.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { buildAgent } from './build.ts';
import { COMMAND } from './command.ts';
import { sendStatus, startModelServer } from './fakes/model-server.ts';
import { temporaryFolder } from './runtime.ts';
import { serveRuntime } from './server/server.ts';

const KEY = 'sk-live-Ab12Cd34Ef56';
/** The provider repeats the key, and a part of another one. */
const refusal = sendStatus(
  401,
  JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}. Yours begins with AIzaSyD4567.` } }),
);
const SENTENCE = 'Incorrect API key provided: [redacted]. Yours begins with [redacted].';
const SECRETS = /sk-live|AIzaSy/;
const INTERNAL = /127\.0\.0\.1|model\.\w|SHOP_KEY|Incorrect|status 401|openai_compatible|sk-live|AIzaSy/;

function writeAgent(folder: string, endpoint: string): string {
  const file = join(folder, 'agent.yaml');
  const model = `{ provider: openai_compatible, name: small, endpoint: '${endpoint}', api_key: '\${SHOP_KEY}' }`;
  writeFileSync(file, `name: shop\ninstructions: Help.\nmodel: ${model}\n`);
  return file;
}

/** Runs the command to its end. */
async function runCommand(args: string[], input = ''): Promise<{ code: number | null; out: string; aside: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, SHOP_KEY: KEY } });
  const text = { out: '', aside: '' };
  child.stdout.on('data', (piece) => {
    text.out += piece;
  });
  child.stderr.on('data', (piece) => {
    text.aside += piece;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...text };
}

it.each(['run', 'chat'])('the author reads host, status and sentence of a refusal in `%s`', async (command) => {
  await using server = await startModelServer([refusal]);
  const folder = temporaryFolder();
  const file = writeAgent(folder, server.url);
  const args = command === 'run' ? ['run', file, 'hello'] : ['chat', file];
  const { code, out, aside } = await runCommand([...args, '--data', folder], command === 'run' ? '' : 'hello\n');
  expect(code).toBe(3);
  expect(aside).not.toContain('contact the people');
  expect(aside).toContain(
    `${new URL(server.url).host} refused the key in SHOP_KEY for openai_compatible (status 401).`,
  );
  expect(aside).toContain(`The provider's answer: ${SENTENCE}`);
  expect(out + aside + readFileSync(join(folder, 'holodeck.log'), 'utf8')).not.toMatch(SECRETS);
});

it.each([
  ['REST', 'POST /agent/helper/chat', 'application/json', { message: 'hello' }],
  ['a REST stream', 'POST /agent/helper/chat', 'text/event-stream', { message: 'hello' }],
  [
    'AG-UI',
    'POST /awp',
    'text/event-stream',
    {
      threadId: 't',
      runId: 'r',
      messages: [{ id: 'm', role: 'user', content: 'hello' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  ],
])('nobody reads anything internal over %s, and the log has it', async (_, route, accept, body) => {
  await using server = await startModelServer([refusal]);
  const folder = temporaryFolder();
  const log = createFileLog(join(folder, 'holodeck.log'));
  const model = { provider: 'openai_compatible', name: 'small', endpoint: server.url, api_key: KEY };
  const runtime = await createRuntime({ agents: [buildAgent({ model })], folder, log });
  const { call } = await serveRuntime(runtime);
  const answer = await (await call(route, { body, headers: { accept } })).text();
  const sessions = await (await call('GET /sessions', {})).text();
  await runtime.stop();
  expect(answer).toContain('The model does not serve this agent.');
  expect(answer + sessions).not.toMatch(INTERNAL);
  const logged = readFileSync(join(folder, 'holodeck.log'), 'utf8');
  expect(logged).toContain(SENTENCE);
  expect(logged).not.toMatch(SECRETS);
});
