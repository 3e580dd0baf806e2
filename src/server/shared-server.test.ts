import { describe, expect, it } from 'vitest';
import { buildAgent } from '../../test/build.ts';
import { sharedServer } from './shared-server.ts';

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

  it('refuses the same name twice', () => {
    expect(() => sharedServer([agent('one'), agent('one')])).toThrow('Two agents are named one');
  });
});
