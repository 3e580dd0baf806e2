import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../src/clock.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { ALICE, buildAgent } from './build.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'other-process.ts');

/** Runs a turn of Alice in a separate process. Resolves when it has begun. */
async function startElsewhere(...args: string[]): Promise<{ child: ChildProcess; conversationId: string }> {
  const child = spawn(process.execPath, [FIXTURE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [conversationId] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, conversationId: String(conversationId) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('processes that share a data folder', () => {
  it('do not take a running turn for stopped when recovery finds a dead turn of another conversation', async () => {
    const { runtime, folder } = await openRuntime({ replies: [] });
    const alive = await startElsewhere(folder, 'hang');
    const dead = await startElsewhere(folder, 'hang');
    await kill(dead.child);
    const signal = new AbortController().signal;
    const running = runtime.follow(ALICE, { conversationId: alive.conversationId, signal });
    expect(await running.next()).toMatchObject({ value: { status: 'running' } });
    await running.return();
    await expect(
      runtime.chat(ALICE, { agent: 'helper', message: 'x', conversationId: alive.conversationId }),
    ).rejects.toMatchObject({
      code: 'turn_running',
    });
    expect(await runtime.readNewestTurn(ALICE, dead.conversationId)).toMatchObject({ status: 'interrupted' });
    await kill(alive.child);
    expect(await runtime.cancel(ALICE, alive.conversationId)).toBe(false);
    expect(await runtime.readNewestTurn(ALICE, alive.conversationId)).toMatchObject({ status: 'interrupted' });
  });

  it('cancel a turn that another of them runs', async () => {
    const { runtime, folder } = await openRuntime({ replies: [] });
    const { child, conversationId } = await startElsewhere(folder, 'hang');
    const exited = once(child, 'exit');
    expect(await runtime.cancel(ALICE, conversationId)).toBe(true);
    expect(await runtime.readNewestTurn(ALICE, conversationId)).toMatchObject({ status: 'cancelled' });
    await exited;
  });

  it('show each other a new turn within 500 ms', async () => {
    const pausesMs: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after(ms, callback) {
        pausesMs.push(ms);
        return systemClock.after(ms, callback);
      },
    };
    const folder = temporaryFolder();
    const model = createScriptedModel(['Here.']);
    const runtime = await createRuntime({ agents: [buildAgent()], folder, model, clock });
    onTestFinished(() => runtime.stop());
    const own = await runtime.chat(ALICE, { agent: 'helper', message: 'hello' });
    await collect(own);
    const { conversationId } = own;

    const left = new AbortController();
    const turns = runtime.follow(ALICE, { conversationId, stays: true, signal: left.signal });
    const first = await turns.next();
    if (!first.done) await collect(first.value);
    pausesMs.length = 0;
    const next = turns.next();
    await startElsewhere(folder, 'answer', conversationId);
    const shown = await next;
    if (shown.done) throw new Error('the reader was sent away');
    expect((await collect(shown.value)).at(-1)).toMatchObject({ result: { content: 'From another process.' } });
    // The reader looks again after each pause: the longest pause is the maximum delay of a turn.
    expect(pausesMs.length).toBeGreaterThan(0);
    expect(Math.max(...pausesMs)).toBeLessThan(500);
    left.abort();
    await turns.return();
  });

  it('read a turn of another process once, and then only new events', async () => {
    const folder = temporaryFolder();
    const store = createSqliteStore({ folder });
    const reads = { all: 0, after: 0 };
    const counting: Store = {
      ...store,
      readEvents(user, turnId) {
        reads.all++;
        return store.readEvents(user, turnId);
      },
      readEventsAfter(user, position) {
        reads.after++;
        return store.readEventsAfter(user, position);
      },
    };
    const { runtime } = await openRuntime({ replies: [], folder, store: counting });
    const { child, conversationId } = await startElsewhere(folder, 'hang');
    const turns = runtime.follow(ALICE, { conversationId, signal: new AbortController().signal });
    const shown = await turns.next();
    if (shown.done) throw new Error('the reader was sent away');
    const events = collect(shown.value);
    await expect.poll(() => reads.after, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(reads.all).toBe(1);
    await kill(child);
    expect((await events).at(-1)).toMatchObject({ type: 'turn-interrupt' });
    expect(reads.all).toBe(1);
  });
});
