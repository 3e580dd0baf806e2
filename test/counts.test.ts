import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');

/** The most that each command loads until it is ready. The numbers go down by hand, and up only with a reason. */
const LIMITS: Record<'chat' | 'serve', Counts> = {
  chat: { modules: 470, bytes: 2_430_000, schemas: 760 },
  serve: { modules: 520, bytes: 2_645_000, schemas: 872 },
};
/** The same of the built command: its files. */
const BUILT: Record<'chat' | 'serve', Omit<Counts, 'schemas'>> = {
  chat: { modules: 30, bytes: 1_060_000 },
  serve: { modules: 18, bytes: 1_138_000 },
};

interface Counts {
  modules: number;
  bytes: number;
  schemas: number;
}

const SOURCES = join(ROOT, 'bin/holodeck.js');
const STARTS = [{ command: 'chat' as const }, { command: 'serve' as const, isReady: /serves/ }];

/** Runs a command until it is ready, or until its input ends, and returns its counts. */
async function countStart(program: string, { command: name, isReady }: (typeof STARTS)[number]): Promise<Counts> {
  const args = isReady ? [name, '-p', String(await freePort())] : [name];
  const folder = temporaryFolder();
  const file = join(folder, 'counts.json');
  const counter = pathToFileURL(join(ROOT, 'test/fixtures/count-start.ts')).href;
  const command = ['--import', counter, program, ...args, '--data', folder];
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
  it.each(STARTS)('$command from its sources', async (start) => {
    const counts = await countStart(SOURCES, start);
    const limits = LIMITS[start.command];
    const over = (['modules', 'bytes', 'schemas'] as const).filter((key) => counts[key] > limits[key]);
    expect({ over, counts }).toEqual({ over: [], counts });
  });

  it.each(STARTS)('$command as it is built', async (start) => {
    const counts = await countStart(COMMAND, start);
    const limits = BUILT[start.command];
    const over = (['modules', 'bytes'] as const).filter((key) => counts[key] > limits[key]);
    expect({ over, counts }).toEqual({ over: [], counts });
  });
});
