import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { EVENT_STREAM, sendStatus, startModelServer } from './fakes/model-server.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

interface Costs {
  /** Bytes in the heap of the main thread. */
  allocated: number;
  /** System calls that read or write, of all threads: sockets, the log of the store, pipes. Linux counts them. */
  reads: number;
  writes: number;
}

const AGENT = `
name: helper
instructions: Help.
model: { provider: openai_compatible, name: small, endpoint: "$\{MODEL_URL}" }
tools: [{ name: work, type: function, file: work.mjs, description: Work, parameters: { type: object } }]
server: { rate_limit: { turns_per_minute: 100000 } }
`;
/** A reply in one piece, so that the number of reads is that of the server. */
const reply = (...deltas: object[]) =>
  sendStatus(
    200,
    [...deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] })), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join(''),
    EVENT_STREAM,
  );
const TEXT = reply(...Array.from({ length: 20 }, (_, index) => ({ content: `word ${index} ` })));
const CALL = reply({ tool_calls: [{ index: 0, id: 'c', function: { name: 'work', arguments: '{}' } }] });

const TURNS = 20;
/** A busy machine splits what is read at once into pieces, so that only the cheapest of several rounds says what a turn costs. */
const ROUNDS = 10;

const KEYS = ['allocated', 'reads', 'writes'] as const;
const overIn = (costs: Costs, limits: Costs) => KEYS.filter((key) => costs[key] > limits[key]);

/** Costs of a turn of a warm server as it is built, each of a new conversation, in the first round within the limits. */
async function measure(replies: readonly (typeof TEXT)[], limits: Costs): Promise<Costs> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'agent.yaml'), AGENT);
  writeFileSync(join(folder, 'work.mjs'), "export default () => 'done';\n");
  const model = await startModelServer(Array.from({ length: (1 + ROUNDS) * TURNS }, () => replies).flat());
  onTestFinished(() => model[Symbol.asyncDispose]());
  const port = await freePort();
  const counter = pathToFileURL(join(import.meta.dirname, 'fixtures/count-turns.ts')).href;
  const args = ['--import', counter, COMMAND, 'serve', folder, '-p', String(port), '--data', join(folder, 'data')];
  const env = { ...process.env, MODEL_URL: `${model.url}/v1` };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout ?? child, 'data');
  const count = async (): Promise<Costs> => {
    child.send('count');
    return (await once(child, 'message'))[0];
  };
  const runTurns = async () => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ message: 'Hi' }) };
    for (let turn = 0; turn < TURNS; turn++) {
      const response = await fetch(`http://127.0.0.1:${port}/agent/helper/chat/stream`, init);
      expect(await response.text()).toContain('word 19');
    }
  };
  await runTurns();
  let costs = limits;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await count();
    await runTurns();
    const after = await count();
    const each = (key: keyof Costs) => Math.round((after[key] - before[key]) / TURNS);
    costs = { allocated: each('allocated'), reads: each('reads'), writes: each('writes') };
    if (overIn(costs, limits).length === 0) break;
  }
  return costs;
}

/**
 * Measured: 411,000 bytes, 4 reads and 56 writes without tools; 523,000 bytes, 10 reads and 63 writes with a call. Runs differ by
 * less than 1 %. The limits go down by hand, and up only with a reason.
 */
it.each([
  { turn: 'without tools', replies: [TEXT], limits: { allocated: 472_000, reads: 6, writes: 62 } },
  { turn: 'with one tool call', replies: [CALL, TEXT], limits: { allocated: 600_000, reads: 13, writes: 70 } },
])('a served turn $turn costs no more than its limits', { timeout: 180_000 }, async ({ replies, limits }) => {
  const costs = await measure(replies, limits);
  expect({ over: overIn(costs, limits), costs }).toEqual({ over: [], costs });
});
