import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { User } from '../../src/schema/user.ts';
import { type AppOptions, createApp } from '../../src/server/app.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ALICE, BOB } from '../build.ts';
import { openRuntime, type Scene, temporaryFolder } from '../runtime.ts';

const USERS: Record<string, User> = { 'Bearer alice': ALICE, 'Bearer bob': BOB };

export interface ServerScene extends Scene {
  app?: Partial<AppOptions>;
}

/** A real server on a free port over a real runtime. It knows Alice and Bob by name and is closed after the test. */
export async function openServer(scene: ServerScene) {
  const opened = await openRuntime(scene);
  const served = await serveRuntime(opened.runtime, scene.app);
  return { ...opened, ...served };
}

export async function serveRuntime(runtime: Runtime, options: Partial<AppOptions> = {}) {
  const lines: string[] = [];
  const stopping = new AbortController();
  const [agent] = runtime.agents;
  if (!agent) throw new Error('no agent');
  const app = createApp({
    runtime,
    server: agent.server,
    state: () => 'running',
    identify: async (header) => USERS[header ?? ''] ?? refuse(),
    log: { write: (line) => lines.push(line) },
    stopping: stopping.signal,
    ...options,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  onTestFinished(async () => {
    stopping.abort();
    app.server.closeAllConnections();
    await app.close();
  });
  const url = `http://127.0.0.1:${port}`;
  return { app, url, port, lines, stopping, call: caller(url) };
}

function refuse(): never {
  throw new AppError('unauthorized', { detail: 'nobody' });
}

interface CallOptions {
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** `call('POST /sessions', { as: 'alice', body })`. */
function caller(url: string) {
  return async (what: string, options: CallOptions = {}): Promise<Response> => {
    const [method = 'GET', path = '/'] = what.split(' ');
    const { as = 'alice', body, headers = {}, signal } = options;
    return fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${as}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  };
}

/** The fields of answers that tests read. */
export interface Answer {
  session_id: string;
  code: string;
  detail: string;
  errors: object[];
  type: string;
  content: string;
  next_before?: string;
  turn: { status: string };
  tool_calls: { id: string }[];
  sessions: { title: string }[];
  messages: { role: string }[];
  domains: { name: string }[];
  files: object[];
}

export async function readAnswer(response: Response): Promise<Answer> {
  return (await response.json()) as Answer; // each test compares the fields that it reads
}

export interface SseFrame {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** The frames of a complete event stream. */
export async function readFrames(response: Response): Promise<SseFrame[]> {
  return parseFrames(await response.text());
}

export function parseFrames(text: string): SseFrame[] {
  const blocks = text.split('\n\n').filter((block) => block.includes('data: '));
  return blocks.map((block) => {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2) ?? '';
    return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
  });
}

/** Yields frames as they arrive and leaves the stream open. */
export async function* streamFrames(response: Response): AsyncGenerator<SseFrame, void> {
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield* parseFrames(`${block}\n\n`);
  }
}

interface InterruptedScene {
  /** Replies of the process that stops in mid-answer; the last one hangs. */
  replies: ScriptedReply[];
  /** Replies of the next process. */
  later: ScriptedReply[];
  tools?: Tool[];
  agent?: Record<string, unknown>;
}

/** A turn whose process stopped in mid-answer, seen from the next server. */
export async function openInterrupted({ replies, later, tools, agent }: InterruptedScene) {
  const folder = temporaryFolder();
  const scene = { folder, ...(tools && { tools }), ...(agent && { agent }) };
  const before = await openServer({ ...scene, replies });
  const body = { threadId: 't', runId: 'run 1', messages: [{ id: 'm 1', role: 'user', content: 'hello' }] };
  const accepted = await before.call('POST /awp', { body, headers: { prefer: 'respond-async' } });
  const { session_id } = (await accepted.json()) as { session_id: string }; // the shape of a 202
  await expect.poll(() => before.model.requests.length).toBe(replies.length);
  await before.runtime.stop();
  const after = await openServer({ ...scene, replies: later });
  return { ...after, id: session_id };
}

export const SCRIPT_NAME = 'index-DpA1b2C3.js';
export const SCRIPT = `console.log(${JSON.stringify('page '.repeat(100))});`;

/** A built page as the build creates it in dist/web, and a private file next to it. */
export function buildWebFolder(): string {
  const outer = temporaryFolder();
  const folder = join(outer, 'web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outer, 'secret.js'), 'private');
  const head = '<head><title>HoloDeck</title><script type="application/json" id="boot">{}</script></head>';
  writeFileSync(join(folder, 'index.html'), `<!doctype html><html>${head}<body><div id="root"></div></body></html>`);
  const put = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, 'assets', name), bytes);
  put(SCRIPT_NAME, SCRIPT);
  put(`${SCRIPT_NAME}.br`, brotliCompressSync(SCRIPT));
  put(`${SCRIPT_NAME}.gz`, gzipSync(SCRIPT));
  put('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  put('notes.txt', 'private');
  return folder;
}
