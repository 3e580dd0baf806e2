import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../postgres/cluster.ts';
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
