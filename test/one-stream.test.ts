import { spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localAccount } from '../src/identity/local-account.ts';
import type { Event } from '../src/schema/conversation/event.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { COMMAND } from './command.ts';
import { EVENT_STREAM, type FakeModelServer, sendPieces, startModelServer } from './fakes/model-server.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const AGENT = join(ROOT, 'test', 'fixtures', 'fronts');

/** A chunk of the wire protocol. */
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const toolCall = (index: number, city: string) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});
const REPLIES = [
  sendPieces(
    [chunk({ tool_calls: [toolCall(0, 'Oslo'), toolCall(1, 'Rome')] }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'],
    EVENT_STREAM,
  ),
  sendPieces(
    [chunk({ content: 'Both are ' }), chunk({ content: 'fine.' }), chunk({}, 'stop'), 'data: [DONE]\n\n'],
    EVENT_STREAM,
  ),
];

interface Front {
  folder: string;
  agent: string;
  model: FakeModelServer;
}

async function openFront(): Promise<Front> {
  const folder = temporaryFolder();
  const agent = join(folder, 'agent');
  mkdirSync(agent);
  cpSync(AGENT, agent, { recursive: true });
  const model = await startModelServer(REPLIES);
  onTestFinished(() => model[Symbol.asyncDispose]());
  return { folder, agent: join(agent, 'agent.yaml'), model };
}

function start(front: Front, args: string[]) {
  const env = { ...process.env, MODEL_URL: `${front.model.url}/v1`, HOLODECK_DATA: join(front.folder, 'data') };
  return spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
}

async function output(front: Front, args: string[], input = ''): Promise<string> {
  const child = start(front, args);
  child.stdin.end(input);
  let text = '';
  for await (const piece of child.stdout) text += piece;
  return text;
}

type StoredEvent = { type: string; text?: string };

/** The stored events, without the parts that differ between runs: ids, times and ends of segments. */
async function storedEvents({ folder }: Front): Promise<StoredEvent[]> {
  const data = join(folder, 'data');
  const store = createSqliteStore({ folder: data });
  const user = localAccount(data);
  const [conversation] = await store.listConversations(user, { limit: 1 });
  const turn = await store.readNewestTurn(user, conversation?.id ?? '');
  const events = await store.readEvents(user, turn?.id ?? '');
  await store.close();
  return joinDeltas(events.map(withoutChance));
}

/** Text is committed in segments by time; their ends are random. */
function joinDeltas(events: StoredEvent[]): StoredEvent[] {
  const joined: StoredEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === 'text-delta' && last?.type === 'text-delta') last.text = `${last.text}${event.text}`;
    else joined.push(event);
  }
  return joined;
}

function withoutChance(event: Event): StoredEvent {
  const text = JSON.stringify(event)
    .replace(/"(id|\w+_id|at|\w+_at|timestamp)":"[^"]*"/g, '"$1":"…"')
    .replace(/"(\w+_ms)":[\d.]+/g, '"$1":0');
  return JSON.parse(text);
}

describe('a turn with two tool calls', () => {
  it('is stored the same whether it came through a terminal pipe, run --json or HTTP', async () => {
    const chat = await openFront();
    const spoken = await output(chat, ['chat', chat.agent], 'how is the weather in Oslo and Rome?\n');
    expect(spoken).toContain('Both are fine.');

    const run = await openFront();
    const lines = (await output(run, ['run', run.agent, 'how is the weather in Oslo and Rome?', '--json']))
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(expect.arrayContaining(['turn-start', 'turn-end']));

    const http = await openFront();
    const port = await freePort();
    const child = start(http, ['serve', http.agent, '-p', String(port)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => isReady(port), { timeout: 20_000 }).toBe(true);
    const response = await fetch(`http://127.0.0.1:${port}/agent/fronts/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'how is the weather in Oslo and Rome?' }),
    });
    expect(await response.json()).toMatchObject({ status: 'completed', content: 'Both are fine.' });
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));

    const stored = await storedEvents(chat);
    expect(stored.length).toBeGreaterThan(10);
    expect(await storedEvents(run)).toEqual(stored);
    expect(await storedEvents(http)).toEqual(stored);
  });
});

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
  return response?.ok ?? false;
}
