import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { readAnswer, serveRuntime } from './server.ts';

const told = (code: number, status: string, ready: boolean) => [
  code,
  expect.objectContaining({ status, agent_ready: ready }),
  code,
  { ready },
];

it('a server whose disk lost something is neither healthy nor ready', async () => {
  const folder = temporaryFolder();
  const disk = { isBroken: false };
  const store = Object.assign(disk, { ...createSqliteStore({ folder }), isBroken: false });
  const runtime = await createRuntime({ agents: [buildAgent()], folder, store, model: createScriptedModel([]) });
  const { call } = await serveRuntime(runtime);
  const ask = async () => {
    const [health, ready] = [await call('GET /health'), await call('GET /ready')];
    return [health.status, await readAnswer(health), ready.status, await readAnswer(ready)];
  };
  expect(await ask()).toEqual(told(200, 'healthy', true));
  disk.isBroken = true;
  expect(await ask()).toEqual(told(503, 'unhealthy', false));
  await runtime.stop();
});
