import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, openScript, SERVERS } from '../../../test/fixtures/mcp-servers/open.ts';

const STUBBORN = join(SERVERS, 'stubborn.mjs');
const DETACH = join(SERVERS, 'detach.mjs');

/** A process that has ended, or that only waits to be reaped. */
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

const readParent = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
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

  describe.runIf(process.platform === 'linux')('with processes that left its session', () => {
    const started: number[] = [];
    afterEach(() => {
      for (const pid of started.splice(0)) if (!isGone(pid)) process.kill(pid, 'SIGKILL');
    });
    const readStarted = (text: string): number[] => {
      const pids = readPids(text);
      started.push(...pids);
      return pids;
    };
    const GONE = [true, true, true, true];

    it('ends them, too, when it is closed', async () => {
      const source = openScript([DETACH]);
      const pids = readStarted(JSON.stringify(await callTool(source, 'pids')));
      const before = pids.map(isGone);
      await source.close();
      expect(before).toEqual(GONE.map(() => false));
      await expect.poll(() => pids.map(isGone), { timeout: 5_000 }).toEqual(GONE);
    });

    it('ends them when it dies, and is started again', async () => {
      const source = openScript([DETACH]);
      const pids = readStarted(JSON.stringify(await callTool(source, 'pids')));
      const outcome = await callTool(source, 'die');
      const next = readStarted(JSON.stringify(await callTool(source, 'pids')));
      // A process without an environment has no relation to a server that has died.
      await expect.poll(() => pids.slice(0, 3).map(isGone), { timeout: 5_000 }).toEqual(GONE.slice(0, 3));
      expect([outcome, next.map(isGone)]).toEqual([expect.objectContaining({ unknown: true }), GONE.map(() => false)]);
      await source.close();
    });

    it('ends them when we are killed', async () => {
      const parent = spawn(process.execPath, [join(SERVERS, 'parent.ts'), DETACH], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = await once(parent.stdout, 'data');
      const pids = readStarted(String(said));
      const before = pids.map(isGone);
      parent.kill('SIGKILL');
      expect(before).toEqual(GONE.map(() => false));
      await expect.poll(() => pids.map(isGone), { timeout: 5_000 }).toEqual(GONE);
    });

    it('ends them when somebody kills the process between us', async () => {
      const source = openScript([DETACH]);
      const pids = readStarted(JSON.stringify(await callTool(source, 'pids')));
      process.kill(readParent(pids[0] ?? 0), 'SIGKILL');
      await expect.poll(() => pids.slice(0, 3).map(isGone), { timeout: 5_000 }).toEqual(GONE.slice(0, 3));
      await source.close();
    });
  });
});
