import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Model } from '../src/models/model.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { Event } from '../src/schema/conversation/event.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { ALICE, buildAgent } from '../test/build.ts';

const PIECES = 150;
const GAP_MS = 20;

/** A model that sends a piece of text every 20 ms. */
const slowModel: Model = {
  label: 'slow',
  async *stream() {
    for (let piece = 0; piece < PIECES; piece++) {
      yield { type: 'text', text: `piece ${piece} ` };
      await delay(GAP_MS);
    }
    yield { type: 'finish', reason: 'stop' };
  },
};

/** Milliseconds between a piece of text at the server that runs a turn and at a follower on another server. */
export async function followerDelays(url: string): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const runtimes: Runtime[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const store = await createPostgresStore({ url });
      runtimes.push(await createRuntime({ agents: [buildAgent()], folder, store, model: slowModel }));
    }
    const [runner, other] = runtimes;
    if (!runner || !other) throw new Error('no runtimes');
    const turn = await runner.chat(ALICE, { agent: 'helper', message: 'hello', keepsGoing: true });
    const atRunner = readTimes(turn.events);
    const followed = other.follow(ALICE, { conversationId: turn.conversationId, signal: AbortSignal.timeout(60_000) });
    const first = await followed.next();
    if (first.done) throw new Error('nothing to follow');
    const [own, seen] = await Promise.all([atRunner, readTimes(first.value.events)]);
    await followed.return();
    // The first pieces are from before the follower came.
    return seen.flatMap((time, piece) => (piece < 20 ? [] : [time - (own[piece] ?? time)]));
  } finally {
    await Promise.all(runtimes.map((runtime) => runtime.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When each piece was there, by its number. */
async function readTimes(events: AsyncIterable<Event>): Promise<number[]> {
  const times: number[] = [];
  let text = '';
  for await (const event of events) {
    if (event.type !== 'text-delta') continue;
    text += event.text;
    const pieces = text.split('piece ').length - 1;
    while (times.length < pieces) times.push(performance.now());
  }
  return times;
}
