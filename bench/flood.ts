import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { quantile } from './client.ts';
import { launch, stop, untilOpen } from './contestant.ts';
import { LAST, type Scenario, toPrompt } from './scenario.ts';
import type { Finding } from './under-load.ts';

const SECRET = 'a secret of the benchmark, longer than 32 bytes';
const ROUNDS = 5;
const WARM_UP_MS = 3_000;
const MAX_RATIO = 3;
/** A common speed of models. */
const USUAL: Scenario = { tokens: 50, gapMs: 20 };

/**
 * Lets a user send 50 requests a second (turns that continue by themselves, readers who stay, uploads, lists of
 * sessions, calls that end the tool's process) while another user asks. Compares the other user's turn with the same
 * turn without the flood, median of five each. The flood runs in a separate process, so that only the server is
 * measured.
 */
export async function oneUsersFlood({ port, mockPort }: { port: number; mockPort: number }): Promise<Finding> {
  const env = { BENCH_AGENT: 'two-users.yaml', JWT_SECRET: SECRET };
  const child = launch('serve.mjs', { port, mockPort, env });
  try {
    await untilOpen(port);
    const other = { port, token: await sign('other') };
    await timeTurns(other);
    const usualMs = quantile(await timeTurns(other), 0.5);
    const flood = startFlood(port, await sign('flooder'));
    await wait(WARM_UP_MS);
    const floodedMs = quantile(await timeTurns(other), 0.5);
    const ratio = floodedMs / usualMs;
    const times = `${usualMs.toFixed(0)} → ${floodedMs.toFixed(0)} ms, × ${ratio.toFixed(2)} (≤ ${MAX_RATIO})`;
    return {
      text: `another user's turn in one user's flood: ${times}; ${await flood.stop()}`,
      isMet: ratio <= MAX_RATIO,
    };
  } finally {
    await stop(child);
  }
}

function sign(sub: string): Promise<string> {
  return new SignJWT({ iss: 'bench', aud: 'bench', sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));
}

function startFlood(port: number, token: string): { stop(): Promise<string> } {
  const file = join(import.meta.dirname, 'flooder.ts');
  const ended = Promise.withResolvers<string>();
  const child = execFile(process.execPath, [file, String(port), token], (error, stdout) =>
    error ? ended.reject(error) : ended.resolve(stdout),
  );
  return {
    stop() {
      child.stdin?.end();
      return ended.promise;
    },
  };
}

async function timeTurns({ port, token }: { port: number; token: string }): Promise<number[]> {
  const times: number[] = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: toPrompt(USUAL) });
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/agent/bench/chat`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!text.includes(LAST)) throw new Error(`the other user was not answered: ${text.slice(0, 200)}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
