import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../test/build.ts';
import { answerJson, startHttpFixture, textResult } from '../../test/fixtures/mcp-servers/http-server.ts';
import { callTool, listTools, openScript, openSource } from '../../test/fixtures/mcp-servers/open.ts';
import type { McpSource } from './supervise/supervisor.ts';

const toClose: (() => unknown)[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((close) => close())));

const open = (...args: Parameters<typeof openScript>): McpSource => {
  const source = openScript(...args);
  toClose.push(() => source.close());
  return source;
};
const lost = {
  error: {
    error_type: 'ToolInvocationError',
    message: 'fixture ended with code 7 while the call was running. It is unknown whether the call took effect.',
  },
  unknown: true,
};
const refused = (message: string) => ({ error: { error_type: 'ToolInvocationError', message } });
/** Long waits, so that a call that waits for one fails the test. */
const SLOW = { limits: { firstWaitMs: 3_600_000, longestWaitMs: 3_600_000 }, random: () => 1 };
const hurried = { remainingMs: () => 10_000 };

describe('a shared server that one call crashes', () => {
  it('answers the next call of somebody else at once, because it is started again without a wait', async () => {
    const source = open(['servers.mjs', 'crash'], {}, SLOW);
    const crashed = await callTool(source, 'die', {}, { user: ALICE, ...hurried });
    const next = await callTool(source, 'echo', {}, { user: BOB, ...hurried });
    expect([crashed, next]).toEqual([lost, { result: 'fine' }]);
  });

  it('is ready again without being asked', async () => {
    const source = open(['servers.mjs', 'crash'], {}, SLOW);
    await callTool(source, 'die', {}, hurried);
    await expect.poll(() => source.status().state, { timeout: 10_000 }).toBe('ready');
  });

  it('refuses the call that crashed it twice, whatever the order of its arguments, and answers all others', async () => {
    const source = open(['servers.mjs', 'crash'], {}, SLOW);
    const die = (args: { a: number; b?: number }, user = ALICE) => callTool(source, 'die', args, { user, ...hurried });
    const echo = () => callTool(source, 'echo', {}, { user: BOB, ...hurried });
    const outcomes = [await die({ a: 1, b: 2 }), await echo(), await die({ b: 2, a: 1 }), await echo()];
    expect(outcomes).toEqual([lost, { result: 'fine' }, lost, { result: 'fine' }]);
    const no = refused(
      'This call crashed fixture 2 times and is not sent again for 10 minutes. Continue without it and mention that.',
    );
    expect([await die({ a: 1, b: 2 }), await echo(), await die({ a: 2 }), await echo()]).toEqual([
      no,
      { result: 'fine' },
      lost,
      { result: 'fine' },
    ]);
  });

  it('refuses a user whose calls crash it with other arguments each time, and nobody else', async () => {
    const source = open(['servers.mjs', 'crash'], {}, SLOW);
    const echoes: unknown[] = [];
    const crashes: unknown[] = [];
    for (let index = 0; index < 20; index++) {
      crashes.push(await callTool(source, 'die', { index }, { user: ALICE, ...hurried }));
      echoes.push(await callTool(source, 'echo', {}, { user: BOB, ...hurried }));
    }
    const no = refused(
      "This user's calls crashed fixture 5 times and are not sent for 10 minutes. Continue without it and mention that.",
    );
    expect(crashes).toEqual([...Array(5).fill(lost), ...Array(15).fill(no)]);
    expect(echoes).toEqual(Array(20).fill({ result: 'fine' }));
  });

  it('does not blame a call that only ran beside the one that crashes it', async () => {
    const source = open(['servers.mjs', 'crash'], {}, SLOW);
    await listTools(source);
    const beside: unknown[] = [];
    for (let index = 0; index < 4; index++) {
      const wait = callTool(source, 'wait', {}, { user: BOB, ...hurried });
      await callTool(source, 'die', { index }, { user: ALICE, ...hurried });
      beside.push(await wait, await callTool(source, 'echo', {}, { user: BOB, ...hurried }));
      if (index === 0) await callTool(source, 'die', {}, { user: ALICE, ...hurried });
    }
    expect(beside).toEqual(
      Array(4)
        .fill([lost, { result: 'fine' }])
        .flat(),
    );
  });
});

describe('a shared server over HTTP that fails at one call', () => {
  it('keeps its connection, and with it the calls of everybody else', async () => {
    const held: (() => void)[] = [];
    const server = await startHttpFixture(({ id, args, response }) => {
      const finish = () => answerJson(response, { id, result: textResult('fine') });
      if (args.kind === 'bad') response.writeHead(500).end();
      else if (args.kind === 'reset') response.destroy();
      else if (args.kind === 'slow') held.push(finish);
      else finish();
    });
    const source = openSource({ transport: 'http', url: server.url }, SLOW);
    toClose.push(() => source.close().finally(server.close));
    const call = (kind: string, user = BOB) => callTool(source, 'go', { kind }, { user, ...hurried });
    const slow = call('slow');
    await expect.poll(() => held.length).toBe(1);
    const outcomes = [await call('bad', ALICE), await call('good'), await call('reset', ALICE), await call('good')];
    for (const finish of held) finish();
    expect([...outcomes, await slow].map((outcome) => 'result' in outcome)).toEqual([false, true, false, true, true]);
    expect(server.received.filter((method) => method === 'initialize')).toHaveLength(1);
  });
});
