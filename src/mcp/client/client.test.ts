import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildContext,
  callTool,
  EVERYTHING,
  FILESYSTEM,
  listTools,
  openScript,
  openSource,
} from '../../../test/fixtures/mcp-servers/open.ts';
import type { McpSource } from '../supervise/supervisor.ts';

interface Running {
  url: string;
  child: ChildProcess;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function startEverything(mode: string, path: string): Promise<Running> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [EVERYTHING, mode], { env: { ...process.env, PORT: String(port) } });
  const listening = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => String(data).includes(String(port)) && listening.resolve());
  await listening.promise;
  return { url: `http://127.0.0.1:${port}${path}`, child };
}

/** The behaviour of every server over every transport. */
function everythingContract(name: string, open: () => Promise<McpSource>) {
  describe(`a source over ${name}`, () => {
    let source: McpSource;
    beforeAll(async () => {
      source = await open();
    });
    afterAll(() => source.close());

    it('lists tools with their hints', async () => {
      const tools = await listTools(source);
      expect(tools.find((tool) => tool.name === 'echo')).toMatchObject({
        description: expect.stringContaining('Echoes'),
        inputSchema: { type: 'object', required: ['message'] },
        source: 'fixture',
      });
      expect(source.status()).toMatchObject({ state: 'ready', refused: [] });
    });

    it('returns text', async () => {
      expect(await callTool(source, 'echo', { message: 'hi' })).toEqual({ result: 'Echo: hi' });
    });

    it('returns structured content', async () => {
      expect(await callTool(source, 'get-structured-content', { location: 'Chicago' })).toEqual({
        result: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
      });
    });

    it('names an image', async () => {
      expect(await callTool(source, 'get-tiny-image')).toMatchObject({
        result: expect.stringContaining('[image image/png, 4033 bytes: cannot be shown here]'),
      });
    });

    it('reports progress', async () => {
      const seen: string[] = [];
      const args = { duration: 0.2, steps: 2 };
      await callTool(source, 'trigger-long-running-operation', args, { progress: (text) => seen.push(text) });
      expect(seen).toEqual(['1 of 2', '2 of 2']);
    });

    it('stops waiting when the signal aborts, and works on', async () => {
      const abort = new AbortController();
      const args = { duration: 30, steps: 30 };
      const call = callTool(source, 'trigger-long-running-operation', args, {
        signal: abort.signal,
        progress: () => abort.abort(new Error('stop')),
      });
      await expect(call).rejects.toThrow();
      expect(await callTool(source, 'echo', { message: 'still here' })).toEqual({ result: 'Echo: still here' });
    });

    it('asks the human through the call that the question belongs to', async () => {
      const asked: string[] = [];
      const outcome = await callTool(
        source,
        'trigger-elicitation-request',
        {},
        {
          ask: async ({ text }) => {
            asked.push(text);
            return { name: 'Ada' };
          },
        },
      );
      expect([asked.length, outcome]).toEqual([1, { result: expect.stringContaining('Name: Ada') }]);
    });

    it('tells the server when nobody can answer', async () => {
      expect(await callTool(source, 'trigger-elicitation-request')).toEqual({
        result: expect.stringContaining('cancelled'),
      });
    });

    it('returns a refusal of the server as an error', async () => {
      const [tool] = await listTools(source);
      const outcome = await tool?.run({ message: 5 }, buildContext());
      expect(outcome).toMatchObject({ error: { message: expect.stringContaining('message') } });
    });
  });
}

const running: ChildProcess[] = [];
async function openEverything(mode: string, path: string): Promise<McpSource> {
  const { url, child } = await startEverything(mode, path);
  running.push(child);
  return openSource({ transport: 'http', url });
}
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

everythingContract('stdio', async () => openScript([EVERYTHING, 'stdio']));
everythingContract('Streamable HTTP', () => openEverything('streamableHttp', '/mcp'));
everythingContract('HTTP+SSE, the older transport', () => openEverything('sse', '/sse'));

describe('a source over the filesystem server', () => {
  it('reads what lies inside its folder and nothing else', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'holodeck-')));
    await writeFile(join(folder, 'note.txt'), 'remember the milk');
    const source = openScript([FILESYSTEM, folder], { allow: ['read_text_file'] });
    const offered = (await listTools(source)).map((tool) => tool.name);
    const inside = await callTool(source, 'read_text_file', { path: join(folder, 'note.txt') });
    const outside = await callTool(source, 'read_text_file', { path: '/etc/hostname' });
    await source.close();
    await rm(folder, { recursive: true });
    expect([offered, inside, outside]).toEqual([
      ['read_text_file'],
      { result: { content: 'remember the milk' } },
      { error: { error_type: 'ToolInvocationError', message: expect.stringContaining('Access denied') } },
    ]);
  });
});
