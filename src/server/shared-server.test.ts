import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildAgent } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import type { ServerState } from '../schema/server.ts';
import { createRateLimit } from './rate-limit.ts';
import { createServerState, sharedServer } from './shared-server.ts';

const agent = (name: string, server: object = {}) => buildAgent({ name, server });
const jwt = (parts: object) => ({ auth: { jwt: { issuer: 'me', audience: 'you', ...parts } } });

function refusal(...servers: object[]): string {
  try {
    sharedServer(servers.map((server, index) => agent(['one', 'two', 'three'][index] ?? 'more', server)));
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

describe('sharedServer', () => {
  it('lets each agent have its own session_ttl_seconds', () => {
    const [one, two] = [agent('one'), agent('two', { session_ttl_seconds: 3600 })];
    expect(sharedServer([one, two])).toEqual(one.server);
  });

  it('names every key that differs, with both values', () => {
    const said = refusal(
      {},
      { port: 9000, rate_limit: { turns_per_minute: 5 } },
      { cors_origins: ['http://a.example'] },
    );
    expect(said.split('\n').slice(1)).toEqual([
      'server.port: 8000 in one, 9000 in two',
      'server.rate_limit.turns_per_minute: 60 in one, 5 in two',
      'server.cors_origins: [] in one, ["http://a.example"] in three',
    ]);
  });

  it('never shows a secret', () => {
    expect(
      refusal(jwt({ secret: 'first' }), jwt({ secret: 'second' }))
        .split('\n')
        .slice(1),
    ).toEqual(['server.auth.jwt.secret: different in one and two']);
    expect(
      refusal(jwt({ secret: 'first' }), {})
        .split('\n')
        .slice(1),
    ).toEqual([
      'server.auth.jwt.secret: set in one, not set in two',
      'server.auth.jwt.issuer: "me" in one, not set in two',
      'server.auth.jwt.audience: "you" in one, not set in two',
    ]);
  });
});

describe('server state', () => {
  it('goes from initializing to stopped, and never back', () => {
    const seen: ServerState[] = [];
    const state = createServerState((entered) => seen.push(entered));
    for (const next of ['ready', 'running', 'shutting_down', 'stopped'] as const) state.enter(next);
    expect(seen).toEqual(['initializing', 'ready', 'running', 'shutting_down', 'stopped']);
    expect(() => state.enter('running')).toThrow('cannot become running');
  });

  it('stops without having run if the port is not available', () => {
    const state = createServerState();
    state.enter('ready');
    state.enter('stopped');
    expect(state.current()).toBe('stopped');
  });
});

describe('createRateLimit', () => {
  it('allows each user a minute of turns at once, then one per refill interval', async () => {
    const clock = createFakeClock();
    const { take, check } = createRateLimit({ perMinute: 2, clock });
    for (const _ of [1, 2, 3]) check(ALICE);
    take(ALICE);
    take(ALICE);
    expect(() => take(ALICE)).toThrow(/2 turns/);
    expect(() => check(ALICE)).toThrow(/2 turns/);
    take(BOB);
    await clock.advance(29_000);
    expect(() => take(ALICE)).toThrow();
    await clock.advance(1_000);
    take(ALICE);
    expect(() => take(ALICE)).toThrow();
  });
});
