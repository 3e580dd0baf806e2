import { describe, expect, it, vi } from 'vitest';
import { ALICE, buildTool } from '../../../test/build.ts';
import { collect, openRuntime, temporaryFolder } from '../../../test/runtime.ts';
import { foldEvents } from '../../agent/turn-state.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Runtime } from '../runtime.ts';
import type { ThreadRun } from './thread-run.ts';

const remove = buildTool({ name: 'remove', needsApproval: true });
const ASKS = { calls: [{ name: 'remove' }] };

function runOf(key: string, parts: Partial<ThreadRun> = {}): ThreadRun {
  return { agent: 'test', threadId: 't', idempotencyKey: key, history: () => [], answersTo: () => [], ...parts };
}
const messageOf = (message: string) => ({ message: { message } });
/** Yes to every call that waits in the events. */
const approve = {
  answersTo: (events: readonly Event[]) =>
    events.length === 0
      ? []
      : foldEvents(events).calls.flatMap(({ id, state }) =>
          state === 'waiting' ? [{ call_id: id, approved: true }] : [],
        ),
};

async function send(runtime: Runtime, run: ThreadRun): Promise<string | undefined> {
  const events = await collect(await runtime.runThread(ALICE, run));
  const last = events.at(-1);
  return last?.type === 'turn-end' || last?.type === 'turn-wait' ? last.result.content || last.type : last?.type;
}

describe('runThread', () => {
  it('takes a message of a new thread with the history, and later ones without it', async () => {
    const { runtime } = await openRuntime({ replies: ['One.', 'Two.'], agent: { name: 'test' } });
    let reads = 0;
    const history = () => {
      reads += 1;
      return [];
    };
    expect(await send(runtime, runOf('1', { ...messageOf('hello'), history }))).toBe('One.');
    expect(await send(runtime, runOf('2', { ...messageOf('again'), history }))).toBe('Two.');
    expect(reads).toBe(1);
  });

  it('takes answers for the turn that waits', async () => {
    const { runtime } = await openRuntime({ replies: [ASKS, 'Gone.'], tools: [remove], agent: { name: 'test' } });
    expect(await send(runtime, runOf('1', messageOf('remove it')))).toBe('turn-wait');
    expect(await send(runtime, runOf('2', approve))).toBe('Gone.');
  });

  it('reads the events of the turn that waits once', async () => {
    const store = createSqliteStore({ folder: temporaryFolder() });
    const reads = vi.spyOn(store, 'readEvents');
    const { runtime } = await openRuntime({
      store,
      replies: [ASKS, 'Gone.'],
      tools: [remove],
      agent: { name: 'test' },
    });
    await send(runtime, runOf('1', messageOf('remove it')));
    reads.mockClear();
    await send(runtime, runOf('2', approve));
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('returns the same turn for a run that is sent again, also when its answers are left out', async () => {
    const { runtime, model } = await openRuntime({
      replies: [ASKS, 'Gone.'],
      tools: [remove],
      agent: { name: 'test' },
    });
    await send(runtime, runOf('1', messageOf('remove it')));
    await send(runtime, runOf('2', approve));
    expect(await send(runtime, runOf('2'))).toBe('Gone.');
    expect(await send(runtime, runOf('1', messageOf('remove it')))).toBe('Gone.');
    expect(model.requests).toHaveLength(2);
  });

  it('refuses a run that brings neither, in a new, an ended and a waiting thread', async () => {
    const { runtime } = await openRuntime({ replies: ['Hi.', ASKS], tools: [remove], agent: { name: 'test' } });
    const refused = { code: 'invalid_request', message: expect.stringContaining('messages: must end with') };
    await expect(runtime.runThread(ALICE, runOf('1'))).rejects.toMatchObject(refused);
    await send(runtime, runOf('2', messageOf('hello')));
    await expect(runtime.runThread(ALICE, runOf('3'))).rejects.toMatchObject(refused);
    await send(runtime, runOf('4', messageOf('remove it')));
    await expect(runtime.runThread(ALICE, runOf('5'))).rejects.toMatchObject(refused);
  });

  it('lets the front refuse answers beside a message when no turn waits', async () => {
    const { runtime, model } = await openRuntime({ replies: ['Hi.'], agent: { name: 'test' } });
    const stray = () => {
      throw new Error('stray');
    };
    await expect(runtime.runThread(ALICE, runOf('1', { ...messageOf('hello'), answersTo: stray }))).rejects.toThrow(
      'stray',
    );
    expect(model.requests).toHaveLength(0);
  });
});
