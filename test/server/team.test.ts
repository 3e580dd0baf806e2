import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { delegateTo, openTeam } from '../team/team.ts';
import { readFrames, serveRuntime } from './server.ts';

async function serveTeam() {
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
  return { ran, ...(await serveRuntime(runtime)) };
}

const read = async (response: Response) => (await response.json()) as Record<string, never>; // each test reads its fields

describe('an approval of a member', () => {
  it('is asked and given through REST', async () => {
    const { call, ran } = await serveTeam();
    const waiting = await read(await call('POST /agent/lead/chat', { body: { message: 'Refund order 7' } }));
    expect(waiting).toMatchObject({ status: 'waiting', asked: [{ tool: 'refund', agent: 'checker' }] });
    const { session_id, asked } = waiting as unknown as { session_id: string; asked: { call_id: string }[] };
    const body = [{ call_id: asked[0]?.call_id, approved: true }];
    const done = await read(await call(`POST /sessions/${session_id}/resume`, { body }));
    expect(done).toMatchObject({ status: 'completed', content: 'Refunded.', delegations: [{ agent: 'checker' }] });
    expect(ran).toHaveLength(1);
  });

  it('is asked and given through AG-UI, where the member is a subagent', async () => {
    const { call, ran } = await serveTeam();
    const run = (runId: string, parts: object) =>
      call('POST /awp', { body: { threadId: 't', runId, protocolVersion: '1.0', messages: [], ...parts } }).then(
        readFrames,
      );
    const first = await run('r1', { messages: [{ id: 'm1', role: 'user', content: 'Refund order 7' }] });
    const types = first.map(({ data }) => data.type).filter((type) => String(type).startsWith('SUBAGENT'));
    expect(types).toEqual(['SUBAGENT_STARTED', 'SUBAGENT_FINISHED']);
    const outcome = first.at(-1)?.data.outcome as { interrupts: { id: string; message: string }[] };
    expect(outcome.interrupts.map(({ message }) => message)).toEqual(['Allow checker to call refund?']);
    const resume = outcome.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: true }));
    const second = await run('r2', { resume });
    expect(second.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(second.map(({ data }) => data.type)).toEqual(
      expect.arrayContaining(['SUBAGENT_STARTED', 'SUBAGENT_FINISHED']),
    );
    expect(ran).toHaveLength(1);
  });

  it('is given by the official client', async () => {
    const { url, ran } = await serveTeam();
    const agent = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer alice' }, threadId: 't' });
    agent.addMessage({ id: 'm', role: 'user', content: 'Refund order 7' });
    await agent.runAgent();
    const resume = agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved' as const,
      payload: { approved: true },
    }));
    const { newMessages } = await agent.runAgent({ resume });
    expect(newMessages.at(-1)?.content).toBe('Refunded.');
    expect(ran).toHaveLength(1);
  });

  it('cannot be given past its team: the conversation of a member is read-only', async () => {
    const { call } = await serveTeam();
    const waiting = await read(await call('POST /agent/lead/chat', { body: { message: 'Refund order 7' } }));
    const { session_id, asked } = waiting as unknown as { session_id: string; asked: { call_id: string }[] };
    const { turns } = (await read(await call(`GET /sessions/${session_id}/turns`))) as unknown as {
      turns: { id: string }[];
    };
    expect(turns).toHaveLength(1);
    const listed = (await read(await call('GET /sessions'))) as unknown as { sessions: { session_id: string }[] };
    expect(listed.sessions.map((one) => one.session_id)).toEqual([session_id]);
    const byName = await call('POST /agent/lead%2Fchecker/chat', { body: { message: 'hello' } });
    expect(byName.status).toBe(404);
    expect(asked).toHaveLength(1);
  });
});
