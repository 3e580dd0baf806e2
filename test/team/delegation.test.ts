import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { answer, delegateTo, openTeam, send } from './team.ts';

describe('a delegation', () => {
  it('is a turn of the member, whose answer is the result of the call', async () => {
    const { runtime, model } = await openTeam({
      sub_agents: ['checker'],
      members: { checker: {} },
      script: {
        lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Check the refund.')] } : 'The checker agrees.'),
        'lead/checker': () => 'All rules hold.',
      },
    });
    const { result, events } = await send(runtime, 'Refund order 7');
    expect(result.content).toBe('The checker agrees.');
    const [call] = result.tool_calls;
    expect(call).toMatchObject({
      name: 'delegate_to_checker',
      state: 'completed',
      result: { answer: 'All rules hold.' },
      delegation: { agent: 'checker', status: 'completed' },
      read_only: true,
    });
    const asked = model.requests.find(({ system }) => system.startsWith('lead/checker'));
    expect(asked?.messages.map(({ role, content }) => [role, content])).toEqual([['user', 'Check the refund.']]);
    expect(events.map(({ type }) => type)).toContain('delegation');
    const child = await runtime.readTurn(ALICE, call?.delegation?.turn_id ?? '');
    expect(child).toMatchObject({ agent: 'lead/checker', status: 'completed' });
    expect((await runtime.listConversations(ALICE, { limit: 9 })).map(({ agent }) => agent)).toEqual(['lead']);
  });

  it('waits with its member for an approval, which is given through the team', async () => {
    const ran: unknown[] = [];
    const refund = buildTool({ name: 'refund', needsApproval: true, run: (args) => ran.push(args) });
    const { runtime } = await openTeam({
      sub_agents: ['checker'],
      members: { checker: {} },
      tools: [refund],
      script: {
        lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Refund 7.')] } : 'Refunded.'),
        'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'refund', arguments: { text: '7' } }] } : 'Done.'),
      },
    });
    const first = await send(runtime, 'Refund order 7');
    expect(first.result.status).toBe('waiting');
    expect(first.result.asked).toMatchObject([{ tool: 'refund', agent: 'checker', arguments: { text: '7' } }]);
    const wait = first.events.find((event) => event.type === 'tool-call-wait');
    expect(wait).toMatchObject({ tool: 'refund', agent: 'checker', wait: { kind: 'approval' } });
    const id = first.result.asked?.[0]?.call_id ?? '';
    expect(first.events.at(-1)).toMatchObject({ type: 'turn-wait', calls: [id] });
    const second = await answer(runtime, first.conversationId, [{ call_id: id, approved: true }]);
    expect(second.result).toMatchObject({ status: 'completed', content: 'Refunded.' });
    expect(ran).toEqual([{ text: '7' }]);
  });
});
