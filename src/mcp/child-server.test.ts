import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, openScript, SERVERS } from '../../test/fixtures/mcp-servers/open.ts';

const STUBBORN = join(SERVERS, 'stubborn.mjs');

/** A process that is no more, or that only waits to be reaped. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      process.platform === 'linux' && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === true
    );
  } catch {
    return true;
  }
}

const readPids = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

describe('startChildServer', () => {
  it('ends a server that will not go, and its children, when it is closed', async () => {
    const source = openScript([STUBBORN]);
    const outcome = await callTool(source, 'pids');
    const pids = readPids(JSON.stringify(outcome));
    const before = pids.map(isGone);
    await source.close();
    expect(before).toEqual([false, false]);
    await expect.poll(() => pids.map(isGone)).toEqual([true, true]);
  });

  it.each(['node', 'npx'])('leaves nobody behind when we are killed, through %s', async (via) => {
    const parent = spawn(process.execPath, [join(SERVERS, 'parent.ts'), STUBBORN, via], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(parent.stdout, 'data');
    const pids = readPids(String(said));
    const before = pids.map(isGone);
    parent.kill('SIGKILL');
    expect(before).toEqual([false, false]);
    await expect.poll(() => pids.map(isGone), { timeout: 5_000 }).toEqual([true, true]);
  });
});
