import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { readAnswer, serveRuntime } from './server.ts';

const told = (code: number, status: string, ready: boolean, reason = {}) => [
  code,
  expect.objectContaining({ status, agent_ready: ready, ...reason }),
  code,
  { ready, ...reason },
];

it('a server whose disk lost something is neither healthy nor ready', async () => {
  const folder = temporaryFolder();
  let problem: AppError | undefined;
  const store = { ...createSqliteStore({ folder }), findProblem: () => problem };
  const runtime = await createRuntime({ agents: [buildAgent()], folder, store, model: createScriptedModel([]) });
  const { call } = await serveRuntime(runtime);
  const ask = async () => {
    const [health, ready] = [await call('GET /health'), await call('GET /ready')];
    return [health.status, await readAnswer(health), ready.status, await readAnswer(ready)];
  };
  expect(await ask()).toEqual(told(200, 'healthy', true));
  problem = new AppError('store_unavailable', { detail: 'The disk did not keep it.' });
  expect(await ask()).toEqual(told(503, 'unhealthy', false, { reason: 'The disk did not keep it.' }));
  await runtime.stop();
});
