import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');

/** The most that each command loads until it is ready. The numbers go down by hand, and up only with a reason. */
const LIMITS: Record<'chat' | 'serve', Counts> = {
  chat: { modules: 470, bytes: 2_430_000, schemas: 760 },
  serve: { modules: 520, bytes: 2_645_000, schemas: 872 },
};

interface Counts {
  modules: number;
  bytes: number;
  schemas: number;
}

/** Runs a command from its sources until it is ready, or until its input ends, and returns its counts. */
async function countStart(args: string[], isReady?: RegExp): Promise<Counts> {
  const folder = temporaryFolder();
  const file = join(folder, 'counts.json');
  const counter = pathToFileURL(join(ROOT, 'test/fixtures/count-start.ts')).href;
  const command = ['--import', counter, join(ROOT, 'bin/holodeck.js'), ...args, '--data', folder];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, START_COUNTS: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  child.stdin.end();
  if (isReady) await expect.poll(() => text, { timeout: 50_000 }).toMatch(isReady);
  if (isReady) child.kill('SIGTERM');
  await ended;
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe('the start of a command loads no more than its limits', () => {
  it.each([{ command: 'chat' as const }, { command: 'serve' as const, isReady: /serves/ }])(
    '$command',
    async ({ command, isReady }) => {
      const port = isReady ? ['-p', String(await freePort())] : [];
      const counts = await countStart([command, ...port], isReady);
      const limits = LIMITS[command];
      const over = (['modules', 'bytes', 'schemas'] as const).filter((key) => counts[key] > limits[key]);
      expect({ over, counts }).toEqual({ over: [], counts });
    },
  );
});
