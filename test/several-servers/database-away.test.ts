import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, endTurn, newTurn } from '../../src/store/contract/fixtures.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { COMMAND } from '../command.ts';
import { freePort } from '../free-port.ts';
import { type Cluster, startCluster } from '../postgres/cluster.ts';
import { type Pair, startPair } from '../postgres/pair.ts';
import { temporaryFolder } from '../runtime.ts';
import { get, send, sendUntilAnswered } from './client.ts';
import { openServers, type Server, type Servers, untilReady } from './servers.ts';

let cluster: Cluster;
let servers: Servers;
let server: Server;
beforeAll(async () => {
  cluster = await startCluster();
  servers = await openServers({ database: cluster.url });
  server = await servers.start();
}, 120_000);
afterAll(async () => {
  await servers.close();
  await cluster.stop();
});

it('is answered with 503 and Retry-After while the database is away, and the server recovers by itself', async () => {
  const token = await servers.tokenOf('ann');
  const slow = sendUntilAnswered(() => server.url, 'count kept 20', { token, key: 'kept' });
  await expect.poll(() => servers.effects()).toEqual(['kept']);
  await cluster.crash();
  await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503);
  const refused = await send(server.url, 'hello', { token, key: 'other' });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  expect(code).toBe('store_unavailable');
  // The host is for the author of the agent, not for its users.
  expect(detail).not.toContain('127.0.0.1');
  await cluster.start();
  await untilReady(server);
  const { content, session_id } = await slow;
  expect(content).toMatch(/Done kept\.$/);
  expect(servers.effects()).toEqual(['kept']);
  const { turns } = await get<{ turns: { status: string }[] }>(server.url, `/sessions/${session_id}/turns`, token);
  expect(turns).toMatchObject([{ status: 'completed' }]);
  const again = await send(server.url, 'hello', { token, key: 'other' });
  expect(again.status).toBe(200);
}, 120_000);

describe('embedded', () => {
  const HOOK = join(import.meta.dirname, 'loaded-files.mjs');

  /** Runs a message and returns the files for PostgreSQL that the program loaded. */
  function loadedFor(database: string): string[] {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'agent.yaml'), 'name: one\ninstructions: Help.\n');
    const file = join(folder, 'loaded.txt');
    const user = database ? ['--user', 'a0000000-0000-4000-8000-000000000001'] : [];
    const args = ['--import', HOOK, COMMAND, 'run', 'agent.yaml', 'hello', '--data', join(folder, 'data'), ...user];
    const env = { ...process.env, DATABASE_URL: database, LOADED_FILE: file };
    spawnSync(process.execPath, args, { cwd: folder, env });
    const loaded = readFileSync(file, 'utf8').split('\n');
    expect(loaded.length).toBeGreaterThan(50);
    return loaded.filter((url) => /postgres/.test(url));
  }

  it('loads nothing of PostgreSQL unless a database is named', async () => {
    expect(loadedFor('')).toEqual([]);
    expect(loadedFor(`postgres://127.0.0.1:${await freePort()}/none`)).not.toEqual([]);
  });
});

describe('failover', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  }, 120_000);
  afterAll(() => pair.stop());

  it('keeps every acknowledged turn when the replica becomes the primary, and writes to the primary only', async () => {
    const url = `postgres://postgres@${pair.ports.map((port) => `127.0.0.1:${port}`).join()}/postgres`;
    const store = await createPostgresStore({ url });
    const taken: string[] = [];
    const takeTurn = async (from: typeof store) => {
      const turn = newTurn();
      const begun = await from.beginTurn(ANN, turn);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      await from.writeTurn(ANN, begun.lease, endTurn(turn));
      taken.push(turn.turnId);
    };
    await takeTurn(store);
    // The first host of the URL is a replica after the first promotion, and the primary after the second.
    for (let count = 0; count < 2; count++) {
      await pair.promote();
      await expect.poll(() => store.findProblem()).toBeUndefined();
      await takeTurn(store);
      const later = await createPostgresStore({ url });
      await takeTurn(later);
      await expect.poll(() => later.describe()).toEqual({ kind: 'postgres', bus: 'live' });
      await later.close();
    }
    for (const turnId of taken) expect(await store.readTurn(ANN, turnId)).toMatchObject({ status: 'completed' });
    await store.close();
  }, 120_000);
});
