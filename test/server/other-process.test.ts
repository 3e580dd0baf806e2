import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, type SseFrame, streamFrames } from './server.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'other-process.ts');

function startElsewhere(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [FIXTURE, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Frames of a stream that stays open, up to one of these types. */
async function readUntil(frames: AsyncGenerator<SseFrame, void>, ...types: string[]): Promise<SseFrame[]> {
  const read: SseFrame[] = [];
  for (;;) {
    const next = await frames.next();
    if (next.done) throw new Error('the stream ended');
    read.push(next.value);
    if (types.includes(String(next.value.data.type))) return read;
  }
}

const textOf = (frames: readonly SseFrame[]) =>
  frames.flatMap(({ data }) => (data.type === 'TEXT_MESSAGE_CONTENT' ? [String(data.delta)] : [])).join('');
const countOf = (frames: readonly SseFrame[], type: string) => frames.filter(({ data }) => data.type === type).length;

it("shows followers another process's turns once: text and calls, a wait, and a crash", async () => {
  const { call, folder } = await openServer({ replies: ['Here.'] });
  const { session_id: id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const path = `GET /sessions/${id}/events?format=ag-ui&follow=1`;
  const frames = streamFrames(await call(path, { signal: left.signal }));
  expect(textOf(await readUntil(frames, 'RUN_FINISHED'))).toBe('Here.');

  startElsewhere(folder, 'stream', id);
  const streamed = await readUntil(frames, 'RUN_FINISHED', 'RUN_ERROR');
  expect([streamed.at(-1)?.data.type, textOf(streamed)]).toEqual(['RUN_FINISHED', 'From another process.']);
  expect(['RUN_STARTED', 'TOOL_CALL_START', 'TOOL_CALL_RESULT'].map((type) => countOf(streamed, type))).toEqual([
    1, 1, 1,
  ]);
  // The text came while it was written, not at the end: the first part before the pause of the second one.
  expect(countOf(streamed, 'TEXT_MESSAGE_CONTENT')).toBeGreaterThan(1);

  const ended = once(startElsewhere(folder, 'wait', id), 'exit');
  const waited = await readUntil(frames, 'RUN_FINISHED', 'RUN_ERROR');
  expect(waited.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
  await ended;
  await call(`POST /sessions/${id}/cancel`);
  await readUntil(frames, 'RUN_FINISHED', 'RUN_ERROR');

  const dying = startElsewhere(folder, 'hang', id);
  const shown = await readUntil(frames, 'TEXT_MESSAGE_CONTENT');
  dying.kill('SIGKILL');
  const cut = await readUntil(frames, 'RUN_FINISHED', 'RUN_ERROR');
  expect(textOf([...shown, ...cut])).toBe('x');
  expect(cut.at(-1)?.data).toMatchObject({ type: 'RUN_ERROR', code: 'turn_interrupted' });
});

it('reads nothing from the store while nobody follows', async () => {
  const folder = temporaryFolder();
  const store = createSqliteStore({ folder });
  let reads = 0;
  const counting: Store = {
    ...store,
    readNewestTurn(...args) {
      reads++;
      return store.readNewestTurn(...args);
    },
  };
  const { call } = await openServer({ replies: ['Here.'], folder, store: counting });
  const { session_id: id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
  const left = new AbortController();
  const frames = streamFrames(await call(`GET /sessions/${id}/events?follow=1`, { signal: left.signal }));
  await readUntil(frames, 'stream_end');
  const before = reads;
  await expect.poll(() => reads).toBeGreaterThan(before + 1);
  left.abort();
  // The reader's last look may be under way; after it there is none.
  let last = -1;
  await expect
    .poll(
      () => {
        const isStill = last === reads;
        last = reads;
        return isStill;
      },
      { interval: 1_000 },
    )
    .toBe(true);
});
