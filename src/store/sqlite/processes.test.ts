import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN } from '../contract/fixtures.ts';
import type { Store } from '../store.ts';
import { createSqliteStore } from './sqlite-store.ts';

const CHILD = fileURLToPath(new URL('./fixtures/child.ts', import.meta.url));

describe('processes that share a data folder', () => {
  let folder: string;
  let children: ChildProcess[];
  let stores: Store[];

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'holodeck-processes-')), 'data');
    children = [];
    stores = [];
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(stores.map((store) => store.close()));
    rmSync(join(folder, '..'), { recursive: true });
  });

  function open(): Store {
    const store = createSqliteStore({ folder });
    stores.push(store);
    return store;
  }

  function start(scenario: string, command: string[] = [process.execPath]) {
    const [file = '', ...args] = [...command, CHILD, scenario, folder];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  }

  async function run(scenario: string, command?: string[]): Promise<{ code: number; output: string }> {
    const child = start(scenario, command);
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code, output: output.trim() };
  }

  async function readLines(child: ReturnType<typeof start>, count: number): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (lines.push(line) === count) child.kill('SIGKILL');
    }
    // The kill may have cut the last line.
    return lines.slice(0, count);
  }

  it('leaves a live process its turn, and takes it after that process was killed', async () => {
    const child = start('stay-in-call');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const turnId = String(line);
    const store = open();
    expect(await store.recover()).toEqual([]);
    expect(await store.readTurn(ANN, turnId)).toMatchObject({ status: 'running' });

    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await store.recover()).toMatchObject([{ turnId }]);
    expect(await store.readTurn(ANN, turnId)).toMatchObject({ status: 'interrupted' });
    const types = (await store.readEvents(ANN, turnId)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['tool-call-run', 'tool-call-end', 'turn-interrupt']);
    expect(readdirSync(join(folder, 'runners'))).toHaveLength(1);
  });

  it('never loses an acknowledged write after a kill', async () => {
    const acknowledged = await readLines(start('write-forever'), 2_000);
    expect(acknowledged).toHaveLength(2_000);
    const store = open();
    const turnIds = new Set(acknowledged.map((id) => id.slice(0, 26)));
    const stored = await Promise.all([...turnIds].map((turnId) => store.readEvents(ANN, turnId)));
    const ids = new Set(stored.flat().map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('can all create the folder at the same time, for its owner only', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => run('write-and-close')));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const store = open();
    const turns = await Promise.all(runs.map(({ output }) => store.readTurn(ANN, output)));
    expect(turns.map((turn) => turn?.status)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('are not kept alive by an idle store, and leave no lock file when they close it', async () => {
    expect(await run('write-and-close')).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'runners'))).toEqual([]);
    expect(await run('write-and-leave')).toMatchObject({ code: 0 });
  });

  it.skipIf(process.platform === 'win32')('go on after a write that the disk did not take', async () => {
    const limited = ['sh', '-c', 'ulimit -f 2048; exec "$@"', 'sh', process.execPath];
    const { output } = await run('overfill', limited);
    expect(JSON.parse(output)).toEqual(['store_unavailable', 'written', ['1.1.0', '1.3.0', '1.8.0']]);
  });
});
