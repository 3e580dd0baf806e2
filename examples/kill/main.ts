/**
 * Kills the server with SIGKILL in the middle of a tool call, starts it again, and repeats the request.
 * Run it in a checkout with `npx node examples/kill/main.ts`; it asserts its own result.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const HERE = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'holodeck-kill-'));
const ledger = join(folder, 'ledger.txt');
const port = await freePort();
let server = await serve();

console.log('> charge 42 euros                       (Idempotency-Key: order-7)');
const cut = charge().catch(() => undefined);
while (!existsSync(ledger)) await setTimeout(20);
console.log(`  ledger.txt: ${readLedger()}            (the bank has not answered yet)`);

server.kill('SIGKILL');
assert.equal(await cut, undefined);
console.log('  kill -9 the server; holodeck serve agent.yaml');
server = await serve();

console.log('> charge 42 euros                       (the same key)');
const result = await charge();
console.log(result.content);
console.log(`  ledger.txt: ${readLedger()}            (still one line: nothing was run twice)`);

assert.equal(readLedger(), 'charged 42 EUR');
assert.deepEqual(
  result.tool_calls.map(({ state }) => state),
  ['unknown'],
);
const { sessions } = (await (await fetch(`http://127.0.0.1:${port}/sessions`)).json()) as Sessions; // the route's shape
// The conversation has a single question with a single answer.
assert.deepEqual(
  sessions.map(({ message_count }) => message_count),
  [2],
);
server.kill();
await once(server, 'exit');
rmSync(folder, { recursive: true });

interface Answer {
  content: string;
  tool_calls: { state: string }[];
}

interface Sessions {
  sessions: { message_count: number }[];
}

/** Starts `holodeck serve` and waits until it listens. */
async function serve(): Promise<ChildProcess> {
  const command = join(HERE, '../../bin/holodeck.js');
  const child = spawn(process.execPath, [command, 'serve', 'agent.yaml', '-p', String(port), '--data', folder], {
    cwd: HERE,
    env: { ...process.env, LEDGER: ledger },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function charge(): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-7' };
  const body = JSON.stringify({ message: 'charge 42 euros' });
  const reply = await fetch(`http://127.0.0.1:${port}/agent/till/chat`, { method: 'POST', headers, body });
  return (await reply.json()) as Answer; // the route's shape
}

function readLedger(): string {
  return readFileSync(ledger, 'utf8').trim();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
