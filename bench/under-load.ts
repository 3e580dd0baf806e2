import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, getJson, isRefusal, quantile } from './client.ts';
import { type Running, rssMb } from './contestant.ts';
import type { CrowdResult } from './crowd.ts';

/** A measurement under load, as text, and whether it is within its limits. */
export interface Finding {
  text: string;
  isMet: boolean;
}

const address = ({ port }: Running, path: string) => `http://127.0.0.1:${port}${path}`;

/** Measures /health while 100 conversations stream. */
export async function healthUnderLoad(server: Running): Promise<Finding> {
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
  const p99 = quantile(times, 0.99);
  const text = `100 streaming conversations: health p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (< 100)`;
  return { text, isMet: p99 < 100 };
}

/** Measures the memory of 1,000 readers that wait for later turns. */
export async function idleFollowers(server: Running): Promise<Finding> {
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
  const open = readers.filter((reader) => reader.ok).length;
  return { text: `${open} idle followers: ${added.toFixed(0)} MB more (< 60)`, isMet: open === 1_000 && added < 60 };
}

const OVERLOAD_MS = 4_000;

/**
 * Sends five times as many requests as there are places: the refused ones must be refused at once, the others answered.
 * Refusals are timed from this process, which does nothing else meanwhile.
 */
export async function overload(server: Running, places: number): Promise<Finding> {
  const peak = await crowd(server, places);
  const [over, probes] = await Promise.all([crowd(server, places * 5), timeRefusals(server)]);
  const share = (100 * over.answeredPerSecond) / peak.answeredPerSecond;
  const inMs = (times: { p50: number; p99: number }) =>
    `p50 ${times.p50.toFixed(0)} ms, p99 ${times.p99.toFixed(0)} ms`;
  const refused = { p50: quantile(probes, 0.5), p99: quantile(probes, 0.99) };
  const text = [
    `5 × overload: ${share.toFixed(0)} % of the peak still answered (≥ 80), ${over.refused} refused`,
    `one asker beside the crowd is refused in ${inMs(refused)} of ${probes.length} (< 50)`,
    `the crowd itself, which asks all at once, saw ${inMs(over.refusedMs)}`,
  ].join('; ');
  return { text, isMet: share >= 80 && refused.p99 < 50 };
}

function crowd({ port }: Running, count: number): Promise<CrowdResult> {
  const args = [join(import.meta.dirname, 'crowd.ts'), String(port), String(count), String(OVERLOAD_MS)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))));
  });
}

async function timeRefusals(server: Running): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + OVERLOAD_MS;
  while (performance.now() < end) {
    const sentAt = performance.now();
    await ask(server, { tokens: 1 }).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      times.push(performance.now() - sentAt);
    });
    await wait(10);
  }
  return times;
}
