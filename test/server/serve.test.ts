import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';
import { readFrames, streamFrames } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Served {
  child: ChildProcess;
  port: number;
  output(): string;
  exit: Promise<number | null>;
}

/** `holodeck serve` as a separate process, killed after the test. */
async function serve(args: readonly string[], port?: number, env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const chosen = port ?? (await freePort());
  const all = [COMMAND, 'serve', ...args, '-p', String(chosen), '--data', temporaryFolder()];
  const child = spawn(process.execPath, all, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (piece) => (text += piece));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, port: chosen, output: () => text, exit };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function agentFile(name: string, more = ''): string {
  const path = join(temporaryFolder(), 'agent.yaml');
  writeFileSync(path, `name: ${name}\ninstructions: Help.\n${more}`);
  return path;
}

const until = (served: Served, text: string) => expect.poll(served.output, { timeout: 20_000 }).toContain(text);

describe('holodeck serve', () => {
  it('serves several agents, and prints who can reach it', async () => {
    const served = await serve([agentFile('one'), agentFile('two')]);
    await until(served, 'HoloDeck serves one, two');
    expect(served.output().split('\n')[0]).toBe(`Open http://127.0.0.1:${served.port}/ in a browser`);
    expect(served.output()).toContain('No authentication: any program on this machine can use it as you.');
    const base = `http://127.0.0.1:${served.port}`;
    expect(await (await fetch(`${base}/ready`)).json()).toEqual({ ready: true });
    expect((await fetch(`${base}/awp/capabilities`)).status).toBe(404);
    expect((await fetch(`${base}/agent/two/awp/capabilities`)).status).toBe(200);
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(0);
  });

  it('opens the page with --open, and starts where there is no browser', async () => {
    const folder = temporaryFolder();
    const opened = join(folder, 'opened');
    const opener = `#!/bin/sh\necho "$1" > ${opened}\n`;
    for (const name of ['xdg-open', 'open']) writeFileSync(join(folder, name), opener, { mode: 0o755 });
    const served = await serve(['--open', agentFile('one')], undefined, { PATH: `${folder}:${process.env.PATH}` });
    const read = () => (existsSync(opened) ? readFileSync(opened, 'utf8') : '');
    await expect.poll(read, { timeout: 20_000 }).toBe(`http://127.0.0.1:${served.port}/\n`);
    const without = await serve(['--open', agentFile('one')], undefined, { PATH: folder.concat('/none') });
    await until(without, 'HoloDeck serves one');
    expect(await (await fetch(`http://127.0.0.1:${without.port}/ready`)).json()).toEqual({ ready: true });
  });

  it('serves the agents that ship together', async () => {
    const served = await serve(['todo', 'retail'].map((name) => join(ROOT, 'agents', name, 'agent.yaml')));
    await until(served, 'HoloDeck serves todo-assistant, retail-analyst');
  });

  it.each([
    ['add the names that clients use to server.allowed_hosts', ''],
    ['served as agent.example.com', 'allowed_hosts: [agent.example.com], '],
  ])('at every address says under which names it is served: %s', async (told, hosts) => {
    const jwt = `jwt: { secret: "\${NO_COLOR}", issuer: me, audience: you }`;
    const served = await serve([agentFile('one', `server: { ${hosts}auth: { ${jwt} } }\n`), '--host', '0.0.0.0']);
    await until(served, `HoloDeck serves one at http://127.0.0.1:${served.port}`);
    await until(served, told);
  });

  it.each([
    ['the same name twice', () => [agentFile('one'), agentFile('one')], /Two agents are named one/],
    [
      'differing server blocks',
      () => [agentFile('one'), agentFile('two', 'server: { max_active_turns: 3 }\n')],
      /server\.max_active_turns: 200 in one, 3 in two/,
    ],
    ['an open address without auth', () => [agentFile('one'), '--host', '0.0.0.0'], /needs server\.auth/],
  ])('refuses %s', async (_name, args, message) => {
    const served = await serve(args());
    expect(await served.exit).toBe(1);
    expect(served.output()).toMatch(message);
  });

  it('offers the next free port when its own is taken, with exit code 2', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    onTestFinished(() => void taken.close());
    const file = agentFile('one');
    const served = await serve([file], port);
    expect(await served.exit).toBe(2);
    const node = process.env.npm_lifecycle_event === 'npx' ? 'npx node' : 'node';
    const command = `${node} ${COMMAND} serve ${file} --data \\S+ -p \\d+`;
    expect(served.output()).toMatch(new RegExp(`port ${port} is in use\\. \\d+ is free: ${command}`));
  });

  it('passes its states in order, and logs them with --debug', async () => {
    const served = await serve([agentFile('one'), '--debug']);
    await until(served, 'HoloDeck serves one');
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    const states = [...served.output().matchAll(/"server_state":"(\w+)"/g)].map(([, state]) => state);
    expect(states).toEqual(['initializing', 'ready', 'running', 'shutting_down', 'stopped']);
  });

  it('ends 50 open streams with their last event at SIGTERM, and exits with 0', { timeout: 90_000 }, async () => {
    const model = await holdingModel();
    const settings = `model: { provider: openai_compatible, name: mock, endpoint: "http://127.0.0.1:${model}/v1" }\n`;
    const served = await serve([agentFile('one', `${settings}loop: { answer_timeout_seconds: 5 }\n`)]);
    await until(served, 'HoloDeck serves one');
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${served.port}/agent/one/chat/stream`;
    const open = () => fetch(url, { method: 'POST', headers, body: '{"message":"hello"}' });
    const streams = await Promise.all(Array.from({ length: 50 }, open));
    const health = async () => (await fetch(`http://127.0.0.1:${served.port}/health`)).text();
    await expect.poll(health).toContain('"active_sessions":50');
    const ends = Promise.all(streams.map(async (stream) => (await readFrames(stream)).at(-1)?.event));
    served.child.kill('SIGTERM');
    expect(await ends).toEqual(Array(50).fill('error'));
    expect(served.output()).toContain(
      'Stopping: 50 turns are running; waiting up to 25 s. Press Ctrl+C again to stop now.\n',
    );
    expect(await served.exit).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['half of the headers', 'GET /ready HTTP/1.1\r\nhost: loc'],
    ['a request, and stays', 'GET /ready HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [
      'half of a body',
      'POST /agent/one/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"me',
    ],
    [
      'half of a form',
      'POST /agent/one/chat HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 99\r\n\r\n--x',
    ],
  ])('exits with 0 at SIGTERM although somebody has sent %s', async (_what, bytes) => {
    const served = await serve([agentFile('one')]);
    await until(served, 'HoloDeck serves one');
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(0);
  });

  it('ends now at the second signal', async () => {
    const model = await holdingModel();
    const settings = `model: { provider: openai_compatible, name: mock, endpoint: "http://127.0.0.1:${model}/v1" }\n`;
    const served = await serve([agentFile('one', settings)]);
    await until(served, 'HoloDeck serves one');
    const url = `http://127.0.0.1:${served.port}/agent/one/chat/stream`;
    const headers = { 'content-type': 'application/json' };
    await streamFrames(await fetch(url, { method: 'POST', headers, body: '{"message":"hello"}' })).next();
    served.child.kill('SIGTERM');
    const ready = async () => (await fetch(`http://127.0.0.1:${served.port}/ready`)).status;
    await expect.poll(ready).toBe(503);
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(130);
  });
});

/** A model that sends a word and then nothing more. */
async function holdingModel(): Promise<number> {
  const { createServer: createHttp } = await import('node:http');
  const delta = { choices: [{ index: 0, delta: { content: 'Well' }, finish_reason: null }] };
  const server = createHttp((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(delta)}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('cli serve', () => {
  function freePort(): Promise<number> {
    return new Promise((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
        server.close(() => resolve(port));
      });
    });
  }

  it('holodeck serve --observability writes traces as lines to stderr', async () => {
    const port = await freePort();
    const args = [COMMAND, 'serve', '--observability', '-p', String(port), '--data', temporaryFolder()];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const text = { out: '', aside: '' };
    child.stdout.on('data', (piece) => {
      text.out += piece;
    });
    child.stderr.on('data', (piece) => {
      text.aside += piece;
    });
    await expect.poll(() => text.out, { timeout: 20_000 }).toMatch(/HoloDeck serves todo-assistant at http/);
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/agent/todo-assistant/chat`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ message: 'hello' }) });
    expect(answer.status).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(() => text.aside, { timeout: 20_000 }).toMatch(/span {2}invoke_agent todo-assistant/);
  });
});
