import { setTimeout as wait } from 'node:timers/promises';
import { ask, getJson, quantile } from './client.ts';
import { type Running, rssMb } from './contestant.ts';

const address = ({ port }: Running, path: string) => `http://127.0.0.1:${port}${path}`;

/** 100 conversations that stream while /health is asked. */
export async function healthUnderLoad(server: Running): Promise<string> {
  const streams = Array.from({ length: 100 }, () => ask(server, { tokens: 150, gapMs: 20 }));
  const times: number[] = [];
  await wait(300);
  for (let round = 0; round < 150; round++) {
    const startedAt = performance.now();
    await (await fetch(address(server, '/health'))).text();
    times.push(performance.now() - startedAt);
    await wait(10);
  }
  await Promise.all(streams);
  return `100 streaming conversations: health p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (< 100)`;
}

/** Memory of 1,000 readers who wait for later turns. */
export async function idleFollowers(server: Running): Promise<string> {
  await ask(server, { tokens: 2 });
  const { sessions } = (await getJson(server.port, '/sessions?limit=1')) as unknown as {
    sessions: { session_id: string }[];
  }; // the API's shape
  const before = rssMb(server.child);
  const leave = new AbortController();
  const path = `/sessions/${sessions[0]?.session_id}/events?follow=1`;
  const readers = await Promise.all(
    Array.from({ length: 1_000 }, () => fetch(address(server, path), { signal: leave.signal })),
  );
  await wait(2_000);
  const added = rssMb(server.child) - before;
  leave.abort();
  return `${readers.filter((reader) => reader.ok).length} idle followers: ${added.toFixed(0)} MB more (< 60)`;
}

/** Five times as many requests as there are places: the refused ones are told at once, the others are answered. */
export async function overload(server: Running, places: number): Promise<string> {
  const run = async (requests: number) => {
    const refused: number[] = [];
    const startedAt = performance.now();
    let answered = 0;
    const one = async () => {
      const sentAt = performance.now();
      await ask(server, { tokens: 20, gapMs: 10 }).then(
        () => answered++,
        () => refused.push(performance.now() - sentAt),
      );
    };
    const loop = async () => {
      while (performance.now() - startedAt < 4_000) {
        await one();
        if (refused.length > 0) await wait(100);
      }
    };
    await Promise.all(Array.from({ length: requests }, loop));
    return { perSecond: (answered / (performance.now() - startedAt)) * 1_000, refused };
  };
  const peak = await run(places);
  const over = await run(places * 5);
  const share = (100 * over.perSecond) / peak.perSecond;
  return `5 × overload: ${share.toFixed(0)} % of the peak still answered (≥ 80), ${over.refused.length} refused, each in p50 ${quantile(over.refused, 0.5).toFixed(0)} ms, p99 ${quantile(over.refused, 0.99).toFixed(0)} ms (< 50)`;
}
