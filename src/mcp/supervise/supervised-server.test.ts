import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../../test/build.ts';
import { buildContext } from '../../../test/fixtures/mcp-servers/open.ts';
import { createFakeClock } from '../../clock.ts';
import { userFromId } from '../../identity/user.ts';
import type { User } from '../../schema/user.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { CallAnswer, ListedTool, McpConnection } from '../client/client.ts';
import { DEFAULT_LIMITS, type SupervisorLimits } from '../limits.ts';
import { createRestartBackoff } from './connection-keeper.ts';
import type { Definition } from './definitions.ts';
import { createSupervisedServer } from './supervised-server.ts';
import { fillUser, usesUser } from './supervisor.ts';

interface FakeServer {
  /** The behaviour of connecting; undefined = it never ends. */
  start?: () => McpConnection | undefined;
  limits?: Partial<SupervisorLimits>;
  idleMs?: number;
}

/** A working connection that can be broken from outside. */
function buildConnection(parts: Partial<McpConnection> = {}) {
  const gone = Promise.withResolvers<string>();
  const listed: ListedTool[] = [{ name: 'go', inputSchema: { type: 'object' } }];
  const connection: McpConnection = {
    gone: gone.promise,
    listTools: async () => listed,
    callTool: async () => ({ outcome: { result: 'done' } }),
    ping: async () => {},
    close: async () => gone.resolve('was stopped'),
    ...parts,
  };
  return { connection, break: gone.resolve };
}

function buildServer({ start = () => buildConnection().connection, limits = {}, idleMs }: FakeServer = {}) {
  const clock = createFakeClock();
  const started = { count: 0 };
  const server = createSupervisedServer({
    name: 'stock',
    clock,
    log: { warn() {} },
    limits: { ...DEFAULT_LIMITS, ...limits },
    random: () => 1,
    ...(idleMs === undefined ? {} : { idleMs }),
    async connect({ signal }) {
      started.count++;
      const connection = start();
      if (connection) return connection;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const go = (parts: Partial<ToolContext> = {}) =>
    server.call(DEFINITION, {}, buildContext({ remainingMs: () => 0, ...parts }));
  return { server, clock, started, go };
}

const DEFINITION = { serverName: 'go' } as Definition;
const refuse = (): never => {
  throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
};
const signal = new AbortController().signal;
const absent = (reason: string, when: string) => ({
  error: {
    error_type: 'ToolInvocationError',
    message: `stock is not reachable (it ${reason}), next try ${when}. Continue without it and mention that.`,
    details: { code: 'tool_unavailable' },
  },
});

describe('createSupervisedServer', () => {
  it('starts nothing before it is asked, and one connection for many calls', async () => {
    const { started, go } = buildServer();
    const before = started.count;
    expect([before, await Promise.all([go(), go(), go()]), started.count]).toEqual([
      0,
      [{ result: 'done' }, { result: 'done' }, { result: 'done' }],
      1,
    ]);
  });

  it('fails at once while it waits, with the time of the next try', async () => {
    const { clock, started, go } = buildServer({ start: refuse });
    const first = await go();
    await clock.advance(400);
    expect([first, await go(), started.count]).toEqual([
      absent('refused the connection', 'in 1 s'),
      absent('refused the connection', 'in 1 s'),
      1,
    ]);
  });

  it('waits longer after each failure, up to the ceiling', async () => {
    const { server, clock, go } = buildServer({ start: refuse, limits: { longestWaitMs: 8_000 } });
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      await go();
      waits.push(server.state().nextTryMs);
      await clock.advance(server.state().nextTryMs ?? 0);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('rests for the window when the budget of starts is used up, even if every start works', async () => {
    const fakes: ReturnType<typeof buildConnection>[] = [];
    const start = () => {
      fakes.push(buildConnection());
      return fakes.at(-1)?.connection;
    };
    const { server, clock, started, go } = buildServer({ start, limits: { starts: 3, longestWaitMs: 1_000 } });
    for (let i = 0; i < 10; i++) {
      await go();
      fakes.at(-1)?.break('ended');
      await clock.advance(1_000);
    }
    const rest = server.state().nextTryMs ?? 0;
    await clock.advance(rest);
    await go();
    expect([rest, started.count]).toEqual([590_000, 4]);
  });

  it('lets a call wait for the next start when half of its time is enough for that', async () => {
    const starts = [refuse, () => buildConnection().connection];
    const { server, clock, started, go } = buildServer({ start: () => (starts.shift() ?? refuse)() });
    await go();
    const patient = go({ remainingMs: () => 2_000 });
    const hurried = await go({ remainingMs: () => 1_999 });
    await clock.advance(1_000);
    expect([hurried, await patient, started.count, server.state()]).toEqual([
      absent('refused the connection', 'in 1 s'),
      { result: 'done' },
      2,
      { state: 'ready' },
    ]);
  });

  it('starts again at once after each crash that one user causes, without the budget of everybody', async () => {
    const crash: McpConnection['callTool'] = async (_name, _args, { user }) =>
      user === ALICE ? { failure: { kind: 'gone', reason: 'ended' } } : { outcome: { result: 'done' } };
    const { server, clock, started } = buildServer({
      start: () => buildConnection({ callTool: crash }).connection,
      limits: { starts: 2, crashesPerUser: 4 },
    });
    const call = (user: User, n: number) =>
      server.call(DEFINITION, { n }, buildContext({ user, remainingMs: () => 0 }));
    const answers: unknown[] = [];
    for (let n = 0; n < 8; n++) {
      await call(ALICE, n);
      await clock.advance(0);
      if (n % 2 === 1) answers.push(await call(BOB, n));
    }
    expect([answers, started.count]).toEqual([Array(4).fill({ result: 'done' }), 5]);
  });

  it('backs off when the calls of several users crash it', async () => {
    const crash: McpConnection['callTool'] = async () => ({ failure: { kind: 'gone', reason: 'ended' } });
    const { server, clock, started } = buildServer({ start: () => buildConnection({ callTool: crash }).connection });
    for (const user of [ALICE, BOB, ALICE, BOB]) {
      await server.call(DEFINITION, {}, buildContext({ user, remainingMs: () => 0 }));
      await clock.advance(0);
    }
    expect([started.count, server.state()]).toEqual([2, { state: 'unavailable', reason: 'ended', nextTryMs: 1_000 }]);
  });

  it('blames a call that made the server hang, although the call has ended', async () => {
    const hang = (stop: AbortSignal) =>
      new Promise<never>((_, reject) => stop.addEventListener('abort', () => reject(new Error('stop'))));
    const connection = () =>
      buildConnection({ callTool: (_name, _args, { signal }) => hang(signal), ping: hang }).connection;
    const { clock, go } = buildServer({ start: connection });
    for (let i = 0; i < 2; i++) {
      const abort = new AbortController();
      const call = go({ signal: abort.signal });
      await clock.advance(0);
      abort.abort();
      await expect(call).rejects.toThrow('stop');
      await clock.advance(DEFAULT_LIMITS.pingMs);
    }
    expect(await go()).toMatchObject({
      error: { message: expect.stringContaining('This call crashed stock 2 times') },
    });
  });

  it('gives up a start that hangs', async () => {
    const { server, clock, go } = buildServer({ start: () => undefined });
    const call = go();
    await clock.advance(DEFAULT_LIMITS.startMs);
    expect([await call, server.state().state]).toEqual([absent('did not answer in time', 'in 1 s'), 'unavailable']);
  });

  it('lets a turn wait for a first start only so long, and takes the tools when they come', async () => {
    const { promise, resolve } = Promise.withResolvers<ListedTool[]>();
    const { server, clock } = buildServer({ start: () => buildConnection({ listTools: () => promise }).connection });
    const offer = server.offer(signal);
    await clock.advance(DEFAULT_LIMITS.offerMs);
    const first = await offer;
    resolve([{ name: 'late', inputSchema: { type: 'object' } }]);
    await clock.advance(0);
    expect([first, (await server.offer(signal)).map((tool) => tool.name)]).toEqual([[], ['late']]);
  });

  it('offers what it knows at once while the server is down', async () => {
    const fake = buildConnection();
    const starts = [() => fake.connection, refuse];
    const { server, clock } = buildServer({ start: () => (starts.shift() ?? refuse)() });
    await server.offer(signal);
    fake.break('ended with code 1');
    await clock.advance(1);
    expect([(await server.offer(signal)).map((tool) => tool.name), server.state()]).toEqual([
      ['go'],
      { state: 'unavailable', reason: 'refused the connection', nextTryMs: 999 },
    ]);
  });

  it('starts a server again that answers neither a call nor a ping, and keeps one that answers the ping', async () => {
    const hang = (context: { signal: AbortSignal }) =>
      new Promise<CallAnswer>((_, reject) => context.signal.addEventListener('abort', () => reject(new Error('stop'))));
    const callTool: McpConnection['callTool'] = (_name, _args, context) => hang(context);
    const starts: number[] = [];
    for (const ping of [async () => {}, (stop: AbortSignal) => hang({ signal: stop }).then(() => {})]) {
      const { server, clock, started } = buildServer({ start: () => buildConnection({ callTool, ping }).connection });
      const abort = new AbortController();
      const call = server.call(DEFINITION, {}, buildContext({ signal: abort.signal }));
      await clock.advance(0);
      abort.abort();
      await expect(call).rejects.toThrow('stop');
      await clock.advance(DEFAULT_LIMITS.pingMs);
      starts.push(started.count);
    }
    expect(starts).toEqual([1, 2]);
  });

  it('that is closed while it starts has not failed', async () => {
    const { server, clock } = buildServer({ start: () => undefined });
    const offer = server.offer(signal);
    await clock.advance(0);
    await server.disconnect();
    expect([await offer, server.state()]).toEqual([[], { state: 'idle' }]);
  });

  it('closes after it was not used for long, and knows its tools still', async () => {
    const { server, clock, started } = buildServer({ idleMs: 60_000 });
    await server.offer(signal);
    await clock.advance(60_000);
    const state = server.state();
    const known = server.definitions.accepted?.map((tool) => tool.name);
    await server.offer(signal);
    expect([state, known, started.count]).toEqual([{ state: 'idle' }, ['go'], 2]);
  });

  it('does not close while a call runs', async () => {
    const { promise, resolve } = Promise.withResolvers<CallAnswer>();
    const { server, clock } = buildServer({
      idleMs: 60_000,
      start: () => buildConnection({ callTool: () => promise }).connection,
    });
    const call = server.call(DEFINITION, {}, buildContext());
    await clock.advance(120_000);
    resolve({ outcome: { result: 'late' } });
    expect([await call, server.state()]).toEqual([{ result: 'late' }, { state: 'ready' }]);
  });
});

function buildBackoff(parts: { starts?: number; random?: number } = {}) {
  const clock = createFakeClock();
  const options = { firstWaitMs: 1_000, longestWaitMs: 60_000, starts: parts.starts ?? 100, startsWindowMs: 600_000 };
  return { clock, backoff: createRestartBackoff({ ...options, clock, random: () => parts.random ?? 1 }) };
}

describe('createRestartBackoff', () => {
  it('is open at first and after a success', () => {
    const { backoff } = buildBackoff();
    const first = backoff.waitMs();
    backoff.noteFailure();
    backoff.noteSuccess();
    expect([first, backoff.waitMs()]).toEqual([0, 0]);
  });

  it('doubles the wait with each failure up to the ceiling', () => {
    const { backoff } = buildBackoff();
    const waits = Array.from({ length: 9 }, () => {
      backoff.noteFailure();
      return backoff.waitMs();
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('opens when the wait is over', async () => {
    const { backoff, clock } = buildBackoff({ random: 0 });
    backoff.noteFailure();
    const before = backoff.waitMs();
    await clock.advance(750);
    expect([before, backoff.waitMs()]).toEqual([750, 0]);
  });

  it('never allows more starts in any window than the budget, whatever succeeds or fails', async () => {
    const step = fc.record({ waitMs: fc.nat(200_000), succeeds: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { backoff, clock } = buildBackoff({ starts: 5 });
        const startedAt: number[] = [];
        for (const { waitMs, succeeds } of steps) {
          await clock.advance(waitMs);
          if (backoff.waitMs() > 0) continue;
          backoff.noteStart();
          startedAt.push(clock.now());
          if (succeeds) backoff.noteSuccess();
          else backoff.noteFailure();
        }
        const inWindow = startedAt.map((at) => startedAt.filter((other) => other > at - 600_000 && other <= at).length);
        expect(Math.max(0, ...inWindow)).toBeLessThanOrEqual(5);
      }),
      { numRuns: 30 },
    );
  });
});

describe('usesUser', () => {
  it.each([
    [{ Authorization: 'Bearer $user.id' }, true],
    [{ Authorization: 'Bearer key', 'X-Cost': '$5' }, false],
    [{}, false],
  ])('of %j is %s', (values, expected) => {
    expect(usesUser(values)).toBe(expected);
  });
});

describe('fillUser', () => {
  it("puts the user's own values in", () => {
    expect(
      fillUser({ 'X-User': 'id=$user.id; name=$user.name', 'X-Zone': '$user.timezone', plain: 'x' }, ALICE),
    ).toEqual({
      'X-User': `id=${ALICE.id}; name=Alice`,
      'X-Zone': 'UTC',
      plain: 'x',
    });
  });

  it('cannot be made to add a header by a name with a line break', () => {
    const user = userFromId(ALICE.id, { name: 'A\r\nX-Admin: 1' });
    expect(fillUser({ 'X-Name': '$user.name' }, user)).toEqual({ 'X-Name': 'A X-Admin: 1' });
  });

  it.each(['$user.name', '$user.password', '$user.constructor'])('throws for %s of a user without it', (value) => {
    expect(() => fillUser({ key: value }, userFromId(ALICE.id))).toThrow(
      `needs ${value}, which this user does not have`,
    );
  });
});
