import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { answer, delegateTo, handBack, handOver, openTeam, send } from './team.ts';

/** Dollars per million tokens: each reply of this usage costs a cent, and so does the longest one. */
const price = { in: 0, out: 10 };
const usage = { prompt_tokens: 0, completion_tokens: 1_000, total_tokens: 1_000 };
const paid = (budget: object = {}) => ({ model: { price, max_tokens: 1_000 }, budget });
const call = (name: string) => ({ calls: [{ name }], usage });
const say = (text: string) => ({ text, usage });

const look = buildTool({ name: 'look', readOnly: true, run: () => 'seen' });
const refund = buildTool({ name: 'refund', needsApproval: true, run: () => 'refunded' });

/** A member that looks three times before it answers, for four cents. */
function openDelegation({ team, member }: { team?: object; member?: object }) {
  return openTeam({
    sub_agents: ['checker'],
    members: { checker: { parts: paid(member) } },
    parts: paid(team),
    tools: [look],
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Check 7.')], usage } : say('Done.')),
      'lead/checker': (step) => (step < 3 ? call('look') : say('Fine.')),
    },
  });
}

describe('the budgets of a delegation', () => {
  it("allow the member's calls within both", async () => {
    const { runtime } = await openDelegation({ team: { per_turn: 0.065 }, member: { per_turn: 0.045 } });
    const { result } = await send(runtime, 'Check');
    expect(result).toMatchObject({ status: 'completed', content: 'Done.', tokens_used: { cost_usd: 0.06 } });
  });

  it("refuse a member's call that the team's does not allow, and the team's next call", async () => {
    const { runtime, model } = await openDelegation({ team: { per_turn: 0.035 }, member: { per_turn: 0.045 } });
    const { result } = await send(runtime, 'Check');
    expect(model.requests.map(({ system }) => system.split('\n')[0])).toEqual(['lead', 'lead/checker', 'lead/checker']);
    expect(result).toMatchObject({ status: 'error', error: { code: 'budget_reached' } });
    const [delegation] = result.tool_calls;
    expect(delegation?.error?.message).toMatch(/^checker failed: One answer may cost at most \$0.0350/);
  });

  it("refuse a member's call that its own does not allow, which costs the team nothing", async () => {
    const team = { per_turn: 0.045, per_user_day: 0.045 };
    const { runtime } = await openDelegation({ team, member: { per_turn: 0.025 } });
    const { result } = await send(runtime, 'Check');
    expect(result).toMatchObject({ status: 'completed', content: 'Done.', tokens_used: { cost_usd: 0.04 } });
    const [delegation] = result.tool_calls;
    expect(delegation?.error?.message).toMatch(/^checker failed: One answer may cost at most \$0.0250/);
  });

  it('count what a member used before it waited, for the member and for its team', async () => {
    const open = (team: number, member: number) =>
      openTeam({
        sub_agents: ['checker'],
        members: { checker: { parts: paid({ per_turn: member }) } },
        parts: paid({ per_turn: team }),
        tools: [look, refund],
        script: {
          lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Refund 7.')], usage } : say('Done.')),
          'lead/checker': (step) => [call('look'), call('refund'), call('look')][step] ?? say('Paid.'),
        },
      });
    for (const [team, member, limit] of [
      [0.065, 0.035, '0.0350'],
      [0.045, 0.065, '0.0450'],
    ] as const) {
      const { runtime } = await open(team, member);
      const { result, conversationId } = await send(runtime, 'Refund 7');
      const answers = (result.asked ?? []).map(({ call_id }) => ({ call_id, approved: true }));
      const [delegation] = (await answer(runtime, conversationId, answers)).result.tool_calls;
      expect(delegation?.error?.message).toContain(`One answer may cost at most $${limit}`);
    }
  });
});

describe("a member's own budget after a hand-over", () => {
  it('counts all its parts of a message', async () => {
    const { runtime, model } = await openTeam({
      handoffs: ['desk', 'till'],
      members: { desk: { parts: paid({ per_turn: 0.015 }) }, till: {} },
      parts: paid(),
      script: {
        lead: () => ({ calls: [handOver('desk', 'A refund')], usage }),
        'lead/desk': () => ({ calls: [handBack('Not mine')], usage }),
      },
    });
    const { result } = await send(runtime, 'Refund 7');
    expect(result.error?.message).toMatch(/^One answer may cost at most \$0.0150/);
    expect(model.requests.map(({ system }) => system.split('\n')[0])).toEqual(['lead', 'lead/desk', 'lead']);
  });

  it('counts what it used before an approval and a restart, and not what others used', async () => {
    const open = (folder?: string) =>
      openTeam({
        ...(folder && { folder }),
        handoffs: ['desk'],
        members: { desk: { parts: paid({ per_turn: 0.035 }) } },
        parts: paid(),
        tools: [look, refund],
        script: {
          lead: (step) => (step === 0 ? call('look') : { calls: [handOver('desk', 'A refund')], usage }),
          'lead/desk': (step) => [call('look'), call('refund'), call('look')][step] ?? say('Paid.'),
        },
      });
    const first = await open();
    const { result, conversationId } = await send(first.runtime, 'Refund 7');
    expect(result.status).toBe('waiting');
    await first.runtime.stop();
    const { runtime, model } = await open(first.folder);
    const call_id = result.tool_calls.at(-1)?.id ?? '';
    const ended = await answer(runtime, conversationId, [{ call_id, approved: true }]);
    expect(ended.result.error?.message).toMatch(/^One answer may cost at most \$0.0350/);
    expect(model.requests).toHaveLength(1);
    expect(await runtime.listConversations(ALICE, { limit: 9 })).toHaveLength(1);
  });
});
