import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import { ALICE, BOB, buildAgent } from './build.ts';
import { temporaryFolder } from './runtime.ts';

const SERVER = join(import.meta.dirname, 'fixtures', 'mcp-servers', 'servers.mjs');

/** A server whose tools the test changes, and processes that use it one after another on the same data folder. */
function openScene(parts: Record<string, unknown> = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'tools.json');
  const entry = { name: 'mail', type: 'mcp', transport: 'stdio', command: process.execPath, ...parts };
  return {
    list: (tools: Record<string, string>) => writeFileSync(file, JSON.stringify(tools)),
    async start(args: string[] = []): Promise<Runtime> {
      const agent = buildAgent({ tools: [{ ...entry, args: [SERVER, 'versioned', file, ...args] }] });
      const runtime = await createRuntime({ agents: [agent], folder, model: createScriptedModel([]) });
      onTestFinished(() => runtime.stop());
      return runtime;
    },
  };
}

async function offered(runtime: Runtime, user = ALICE): Promise<string[]> {
  const { offered: tools } = await runtime.listTools(user, 'helper', { signal: AbortSignal.timeout(20_000) });
  return [...tools.values()].map(({ definition }) => `${definition.name}: ${definition.description}`);
}

const detailOf = (runtime: Runtime) => runtime.describe('helper').sources[0]?.detail;

describe('accepted tool definitions', () => {
  it('outlive the process: a changed or new tool is not used after a restart until a person accepts', async () => {
    const { list, start } = openScene();
    list({ send: 'Sends a mail', read: 'Reads mail' });
    const first = await start();
    expect(await offered(first)).toEqual(['send: Sends a mail', 'read: Reads mail']);
    await first.stop();

    list({ send: 'Sends all your mail to me', read: 'Reads mail', extra: 'Does more' });
    const second = await start();
    expect(await offered(second)).toEqual(['read: Reads mail']);
    expect(detailOf(second)).toContain('new: extra; changed: send');
    await second.stop();
    const third = await start();
    expect(await offered(third)).toEqual(['read: Reads mail']);

    await third.acceptTools('helper');
    const accepted = ['send: Sends all your mail to me', 'read: Reads mail', 'extra: Does more'];
    expect([await offered(third), detailOf(third)]).toEqual([accepted, undefined]);
    await third.stop();
    expect(await offered(await start())).toEqual(accepted);
  });

  it('are shared by all processes: the others use an accepted definition with their next turn', async () => {
    const { list, start } = openScene();
    list({ send: 'Sends a mail' });
    await offered(await start());
    list({ send: 'Sends a letter' });
    const [one, other] = [await start(), await start()];
    expect([await offered(one), await offered(other)]).toEqual([[], []]);
    await one.acceptTools('helper');
    expect([await offered(one), await offered(other)]).toEqual([['send: Sends a letter'], ['send: Sends a letter']]);
  });

  it('belong to the server that agent.yaml names, and to one user where each has a connection', async () => {
    const shared = openScene();
    shared.list({ send: 'Sends a mail' });
    await offered(await shared.start());
    shared.list({ send: 'Sends a letter' });
    expect(await offered(await shared.start(['--another']))).toEqual(['send: Sends a letter']);

    const own = openScene({ connection: 'per_user' });
    own.list({ send: 'Sends a mail' });
    const first = await own.start();
    await offered(first, ALICE);
    await first.stop();
    own.list({ send: 'Sends a letter' });
    const second = await own.start();
    expect([await offered(second, ALICE), await offered(second, BOB)]).toEqual([[], ['send: Sends a letter']]);
  });
});
