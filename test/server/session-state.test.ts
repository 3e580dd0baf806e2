import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { serveRuntime } from './server.ts';

it('a conversation is idle after the session_ttl_seconds of its own agent', async () => {
  const agents = [60, 6_000].map((seconds) =>
    buildAgent({ name: `ttl-${seconds}`, server: { session_ttl_seconds: seconds } }),
  );
  const model = createScriptedModel(['Hello.', 'Hello.']);
  const runtime = await createRuntime({ agents, folder: temporaryFolder(), model });
  onTestFinished(() => runtime.stop());
  const later = { ...systemClock, date: () => new Date(Date.now() + 600_000) };
  const { call } = await serveRuntime(runtime, { clock: later });
  for (const { name } of agents) await (await call(`POST /agent/${name}/chat`, { body: { message: 'hi' } })).json();
  expect(await (await call('GET /sessions')).json()).toMatchObject({
    sessions: [
      { agent: 'ttl-6000', state: 'active' },
      { agent: 'ttl-60', state: 'idle' },
    ],
  });
});
