import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer } from './server.ts';

const REASON = expect.stringContaining('removed or replaced');
const CHAT = 'POST /agent/helper/chat';

const LOSSES: [string, (file: string) => void][] = [
  ['the database is removed', (file) => rmSync(file)],
  ['its log is removed', (file) => rmSync(`${file}-wal`)],
  ['the index of its log is removed', (file) => rmSync(`${file}-shm`)],
  [
    'the database is replaced by a copy',
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
  ['the data folder is moved', (file) => renameSync(dirname(file), `${dirname(file)}-moved`)],
];

async function openScene(replies: Parameters<typeof openServer>[0]['replies']) {
  const server = await openServer({ replies, folder: join(temporaryFolder(), 'data') });
  const probe = async (path: string) => {
    const response = await server.call(`GET ${path}`);
    return [response.status, await readAnswer(response)];
  };
  return { ...server, file: join(server.folder, 'holodeck.db'), probe };
}

describe.each(LOSSES)('when %s while the server runs', (_, lose) => {
  it('no turn is acknowledged, and both probes give the reason', async () => {
    const { call, file, probe } = await openScene(['First.', 'Second.']);
    expect((await call(CHAT, { body: { message: 'one' } })).status).toBe(200);
    lose(file);
    const refused = await call(CHAT, { body: { message: 'two' } });
    expect([refused.status, await readAnswer(refused)]).toEqual([
      503,
      expect.objectContaining({ code: 'store_unavailable', detail: REASON }),
    ]);
    expect(await probe('/health')).toEqual([
      503,
      expect.objectContaining({ status: 'unhealthy', agent_ready: false, reason: REASON }),
    ]);
    expect(await probe('/ready')).toEqual([503, { ready: false, reason: REASON }]);
  });

  it('a probe notices without a turn', async () => {
    const { call, file, probe } = await openScene(['First.']);
    expect(await probe('/ready')).toEqual([200, { ready: true }]);
    lose(file);
    expect(await probe('/ready')).toEqual([503, { ready: false, reason: REASON }]);
    expect((await call('GET /health')).status).toBe(503);
  });
});

it('a turn that runs while the database is removed does not end as completed', async () => {
  let remove = () => {};
  const { call, file } = await openScene([
    () => {
      remove();
      return 'Done.';
    },
  ]);
  remove = () => rmSync(file);
  const answer = await readAnswer(await call(CHAT, { body: { message: 'one' } }));
  expect(JSON.stringify(answer)).not.toContain('"completed"');
});
