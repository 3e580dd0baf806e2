import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { temporaryFolder } from './runtime.ts';

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
