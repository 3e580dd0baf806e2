import { describe, expect, it } from 'vitest';
import { Health, ProblemDetail } from './server.ts';

describe('Health', () => {
  const store = { kind: 'sqlite' };
  const health = { status: 'healthy', agent_ready: true, active_sessions: 0, store, uptime_seconds: 0.5, agents: [] };

  it.each([
    { status: 'ok' },
    { store: {} },
    { active_sessions: -1 },
    { uptime_seconds: -1 },
    { agents: [{ name: 'a' }] },
  ])('refuses %j', (about) => {
    expect(Health.parse(health)).toEqual(health);
    expect(Health.safeParse({ ...health, ...about }).success).toBe(false);
  });
});

describe('ProblemDetail', () => {
  const problem = { type: 'https://holodeck.dev/errors/not_found', title: 'Nothing', status: 404, code: 'not_found' };

  it.each([{ type: 'not_found' }, { status: 200 }, { code: undefined }, { errors: [{ path: 'a' }] }, { stack: 'x' }])(
    'refuses %j',
    (about) => {
      expect(ProblemDetail.parse(problem)).toEqual(problem);
      expect(ProblemDetail.safeParse({ ...problem, ...about }).success).toBe(false);
    },
  );
});
