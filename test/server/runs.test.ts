import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunComparison, RunReport, RunSummary } from '../../src/schema/tests/run-report.ts';
import { ALICE } from '../build.ts';
import { failedCase, keepRuns, passedCase, writeRuns } from './kept-runs.ts';
import { openServer, type ServerScene } from './server.ts';

const JWT = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };

async function openRuns(folder: string, scene: Partial<ServerScene> = {}) {
  const { call } = await openServer({ replies: [], ...scene, app: { runsFolder: () => folder, ...scene.app } });
  return async <T>(path: string) => {
    const response = await call(`GET /agent/helper/runs${path}`);
    return { status: response.status, body: (await response.json()) as T }; // each test compares the whole body
  };
}

interface RunPage {
  runs: RunSummary[];
  next_before?: string;
}

describe('GET /agent/{name}/runs', () => {
  it('lists the runs of this agent with their counts, newest first', async () => {
    const cases = [passedCase('a'), failedCase('b'), { ...failedCase('c'), status: 'error' as const }];
    const kept = [
      { agent: 'helper', cases },
      { agent: 'other', cases },
      { agent: 'helper --attack', cases: [] },
    ];
    const { folder, ids } = writeRuns(kept);
    const ask = await openRuns(folder);
    const { body } = await ask<RunPage>('');
    expect(body.runs).toEqual([
      expect.objectContaining({ id: ids[2], agent: 'helper --attack', passed: 0, failed: 0, error: 0 }),
      expect.objectContaining({ id: ids[0], agent: 'helper', passed: 1, failed: 1, error: 1, ms: 1_234 }),
    ]);
  });

  it('returns pages of every run once', async () => {
    const { folder, ids } = writeRuns([1, 2, 3].map(() => ({ agent: 'helper', cases: [] })));
    const ask = await openRuns(folder);
    const first = await ask<RunPage>('?limit=2');
    const second = await ask<RunPage>(`?limit=2&before=${first.body.next_before}`);
    expect([...first.body.runs, ...second.body.runs].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.body.next_before).toBeUndefined();
  });

  it('leaves out files that are no runs', async () => {
    const { folder, oldest, newest } = keepRuns('helper');
    writeFileSync(join(folder, `${oldest.replace('01K9', '01KA')}.json`), '{"format":99}');
    writeFileSync(join(folder, 'notes.json'), '{}');
    const ask = await openRuns(folder);
    expect((await ask<RunPage>('')).body.runs.map(({ id }) => id)).toEqual([newest, oldest]);
  });
});

describe('GET /agent/{name}/runs/{run}', () => {
  it('returns the cases without characters that reorder text', async () => {
    const { folder, ids } = writeRuns([{ agent: 'helper', cases: [failedCase('b', 'evil \u202etxt\u001b[2J')] }]);
    const ask = await openRuns(folder);
    const { body } = await ask<RunReport>(`/${ids[0]}`);
    expect(body.cases[0]?.turns[0]?.failures[0]?.happened).not.toMatch(/[\u202e\u001b]/);
    expect(body.cases[0]?.name).toBe('b');
  });

  it.each(['/01K90000000000000000000009', '/..%2F..%2Fpackage', '/x'])('is 404 for %s', async (path) => {
    const ask = await openRuns(keepRuns('helper').folder);
    expect(await ask(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is 404 for a run of another agent in the same folder', async () => {
    const { folder, newest } = keepRuns('other');
    expect((await (await openRuns(folder))(`/${newest}`)).status).toBe(404);
  });
});

describe('GET /agent/{name}/runs/{run}/differences', () => {
  const differences = { new_failures: ['deletes'], fixed: [], added: [], removed: ['lists'], ms: 8, tokens: 0 };

  it('compares with the run before, or with the one that is named', async () => {
    const { folder, oldest, newest } = keepRuns('helper');
    const ask = await openRuns(folder);
    expect((await ask<RunComparison>(`/${newest}/differences`)).body).toEqual({ with: oldest, ...differences });
    expect((await ask<RunComparison>(`/${oldest}/differences?with=${newest}`)).body).toMatchObject({
      with: newest,
      fixed: ['deletes'],
      added: ['lists'],
    });
  });

  it('compares a run of cases with no run of attacks', async () => {
    const kept = ['helper', 'helper --attack', 'helper'].map((agent) => ({ agent, cases: [passedCase(agent)] }));
    const { folder, ids } = writeRuns(kept);
    const { body } = await (await openRuns(folder))<RunComparison>(`/${ids[2]}/differences`);
    expect(body.with).toBe(ids[0]);
  });

  it('is 404 for the first run', async () => {
    const { folder, oldest } = keepRuns('helper');
    expect(await (await openRuns(folder))(`/${oldest}/differences`)).toMatchObject({
      status: 404,
      body: { detail: 'There is no run before this one.' },
    });
  });
});

it('runs are shown to a token with the developer scope', async () => {
  const { folder, newest } = keepRuns('helper');
  const agent = { server: { host: '0.0.0.0', auth: { jwt: JWT, developer_scope: 'agent:debug' } } };
  const ask = await openRuns(folder, { agent, app: { identify: () => ({ ...ALICE, is_developer: true }) } });
  expect((await ask(`/${newest}`)).status).toBe(200);
});
