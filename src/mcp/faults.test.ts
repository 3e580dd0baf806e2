import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../test/build.ts';
import { callTool, listTools, openScript, openSource } from '../../test/fixtures/mcp-servers/open.ts';
import type { McpSource } from './supervise/supervisor.ts';

const opened: McpSource[] = [];
const open = (...args: Parameters<typeof openScript>): McpSource => {
  const source = openScript(...args);
  opened.push(source);
  return source;
};
afterEach(() => Promise.all(opened.splice(0).map((source) => source.close())));

/** Number of calls that another server answers meanwhile, one after the other. */
async function countNeighbourCalls(during: () => Promise<unknown>): Promise<number> {
  const neighbour = open(['servers.mjs', 'plain']);
  await listTools(neighbour);
  let isOver = false;
  let count = 0;
  const calls = (async () => {
    for (; !isOver; count++) await callTool(neighbour, 'echo');
  })();
  await during();
  isOver = true;
  await calls;
  return count;
}

describe('a server that floods', () => {
  it('with 200,000 notifications still gives its answer, and its neighbour answers all the while', async () => {
    const source = open(['servers.mjs', 'flood']);
    await listTools(source);
    const calls = await countNeighbourCalls(async () => {
      expect(await callTool(source, 'notify', { amount: 200_000 })).toEqual({ result: 'done' });
    });
    expect(calls).toBeGreaterThan(20);
  });

  it('with an answer of 100 MB has that answer refused, and works on', async () => {
    const source = open(['servers.mjs', 'flood']);
    const refused = await callTool(source, 'answer', { amount: 100 });
    expect([refused, await callTool(source, 'answer', { amount: 0 })]).toEqual([
      { error: { error_type: 'ToolInvocationError', message: 'The answer was larger than 8 MB and was refused.' } },
      { result: '' },
    ]);
  });

  it('with 100 MB of error output is read and forgotten', async () => {
    expect(await callTool(open(['servers.mjs', 'flood']), 'errors', { amount: 100 })).toEqual({ result: 'done' });
  });

  it('with lines that are no messages is understood all the same', async () => {
    expect(await callTool(open(['servers.mjs', 'flood']), 'garbage', { amount: 2_000 })).toEqual({ result: 'done' });
  });

  it('without end is stopped', async () => {
    // Without a refill, so that the machine's speed does not matter.
    const source = open(['servers.mjs', 'flood'], {}, { limits: { outputBytes: 20_000_000, outputBytesPerSecond: 0 } });
    const outcome = await callTool(source, 'endless');
    expect([outcome, source.status().state]).toEqual([
      {
        error: {
          error_type: 'ToolInvocationError',
          message:
            'fixture was stopped because it sent too much while the call was running. It is unknown whether the call took effect.',
        },
        unknown: true,
      },
      'starting',
    ]);
  });
});

describe('a server that dies', () => {
  it('at its start offers nothing and says why', async () => {
    const source = open(['servers.mjs', 'die', 'start']);
    expect([await listTools(source), source.status()]).toEqual([
      [],
      {
        state: 'unavailable',
        detail: 'fixture is not reachable (it ended with code 3), next try in 1 s',
        tools: [],
        refused: [],
      },
    ]);
  });

  it('because its command does not exist says so', async () => {
    const source = openSource({ transport: 'stdio', command: 'no-such-command' });
    opened.push(source);
    await listTools(source);
    expect(source.status().detail).toBe(
      'fixture is not reachable (it could not be started: "no-such-command" was not found), next try in 1 s',
    );
  });
});

describe('a server that hangs', () => {
  it('at its start holds a turn no longer than the limit', async () => {
    const source = open(['servers.mjs', 'hang', 'start'], {}, { limits: { offerMs: 50 } });
    expect([await listTools(source), source.status()]).toEqual([[], { state: 'starting', tools: [], refused: [] }]);
  });

  it('in a call and does not answer a ping is given up, and started again', async () => {
    const lines: string[] = [];
    const log = { warn: (_fields: object, text: string) => void lines.push(text) };
    const source = open(['servers.mjs', 'hang'], {}, { limits: { pingMs: 50 }, log });
    await listTools(source);
    const call = callTool(source, 'wait', {}, { signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toThrow();
    await expect.poll(() => [lines, source.status().state]).toEqual([['fixture does not answer'], 'ready']);
  });
});

describe('a server that changes its definitions', () => {
  it('is offered as it was until a person accepts', async () => {
    const source = open(['servers.mjs', 'change'], {}, { limits: { relistMs: 10 } });
    const names = async () => (await listTools(source)).map((tool) => `${tool.name}: ${tool.description}`);
    const before = await names();
    await callTool(source, 'change');
    await expect
      .poll(() => source.status().pending)
      .toEqual({ added: ['extra'], changed: ['change'], removed: ['old'] });
    const kept = await names();
    await source.accept();
    expect([kept, await names(), source.status().pending]).toEqual([
      before,
      ['change: Sends all your mail to me', 'extra: Does extra'],
      undefined,
    ]);
  });
});

describe('a server with names that collide', () => {
  it('has them refused with a reason and the good one offered', async () => {
    const source = open(['servers.mjs', 'twins']);
    const offered = (await listTools(source)).map((tool) => tool.name);
    const refused = source.status().refused.map((refusal) => refusal.name.slice(0, 12));
    expect([offered, refused]).toEqual([
      ['good'],
      ['read_file', 'read_file', 'read.file', 'bad name!', 'nnnnnnnnnnnn'],
    ]);
  });
});

describe('a server that asks', () => {
  const ask = (city: string) => async () => ({ city });

  it('is answered by the one user who is calling', async () => {
    const source = open(['servers.mjs', 'ask']);
    expect(await callTool(source, 'ask', {}, { ask: ask('Paris') })).toEqual({
      result: JSON.stringify({ action: 'accept', content: { city: 'Paris' } }),
    });
  });

  it('is not answered when the question could belong to another user', async () => {
    const source = open(['servers.mjs', 'ask']);
    await listTools(source);
    const outcomes = await Promise.all([
      callTool(source, 'ask', {}, { user: ALICE, ask: ask('Paris') }),
      callTool(source, 'ask', {}, { user: BOB, ask: ask('Berlin') }),
    ]);
    const cancelled = { result: JSON.stringify({ action: 'cancel' }) };
    expect(outcomes).toEqual([cancelled, cancelled]);
  });
});

describe('a server of the older kind', () => {
  it('that ends at an unknown first question is started again and greeted its way', async () => {
    expect(await callTool(open(['servers.mjs', 'picky']), 'echo')).toEqual({ result: 'fine' });
  });
});

describe('a child server', () => {
  it('sees only the allowed part of our environment', async () => {
    process.env.HOLODECK_TEST_SECRET = 'secret';
    const outcome = await callTool(open(['servers.mjs', 'plain'], { env: { GIVEN: 'yes' } }), 'environment');
    const seen = JSON.parse('result' in outcome ? String(outcome.result) : '{}');
    expect([seen.GIVEN, seen.PATH, seen.HOLODECK_TEST_SECRET]).toEqual(['yes', process.env.PATH, undefined]);
  });

  it('is called by its own name for a tool', async () => {
    expect(await callTool(open(['servers.mjs', 'plain']), 'files_read', { path: 'a' })).toEqual({
      result: 'files.read {"path":"a"}',
    });
  });
});
