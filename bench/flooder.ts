/**
 * A user who sends 50 requests a second until stdin ends, then prints the results: node bench/flooder.ts <port>
 * <token>.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Scenario, toPrompt } from './scenario.ts';

const GAP_MS = 1_000 / 50;
const MAX_MS = 30_000;
const FILE = 'a line of a file\n'.repeat(4 * 1024);

const [port = '', token = ''] = process.argv.slice(2);
const leave = new AbortController();
const { signal } = leave;
const counts = new Map<string, number>();
const sent: Promise<void>[] = [];
const opened: Response[] = [];

function send(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  return fetch(`http://127.0.0.1:${port}${path}`, { signal, ...init, headers });
}

function chat(scenario: Scenario, more: Record<string, string> = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...more };
  const body = JSON.stringify({ message: toPrompt(scenario) });
  return send('/agent/bench/chat', { method: 'POST', headers, body });
}

function upload(): Promise<Response> {
  const body = new FormData();
  body.append('message', toPrompt({ tokens: 2 }));
  body.append('files', new Blob([FILE], { type: 'text/plain' }), 'file.txt');
  return send('/agent/bench/chat', { method: 'POST', body });
}

const { session_id } = (await (await chat({ tokens: 2 })).json()) as { session_id: string }; // the API's shape
const KINDS: Record<string, () => Promise<Response>> = {
  turn: () => chat({ tokens: 500, gapMs: 20 }, { prefer: 'respond-async' }),
  stream: () => send(`/sessions/${session_id}/events?follow=1`),
  upload,
  list: () => send('/sessions?limit=100'),
  crash: () => chat({ tokens: 2, calls: 1, toolMs: -1 }),
};
const kinds = Object.entries(KINDS);

function note(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

process.stdin.resume().once('end', () => leave.abort());
const startedAt = performance.now();
while (!signal.aborted && performance.now() - startedAt < MAX_MS) {
  const [name, kind] = kinds[sent.length % kinds.length] ?? [];
  const status = kind?.().then(
    (response) => {
      // Keep the response: fetch closes the connection of a response that is garbage-collected.
      opened.push(response);
      note(`${name} ${response.status}`);
    },
    () => note(`${name} unfinished`),
  );
  if (status) sent.push(status);
  await wait(Math.max(0, startedAt + sent.length * GAP_MS - performance.now()));
}
leave.abort();
await Promise.all(sent);
const parts = [...counts].toSorted().map(([what, count]) => `${count} × ${what}`);
process.stdout.write(`${sent.length} requests: ${parts.join(', ')}`);
process.exit(0);
