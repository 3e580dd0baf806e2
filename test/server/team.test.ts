import { HttpAgent } from '@ag-ui/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildTool } from '../build.ts';
import { delegateTo, openTeam } from '../team/team.ts';
import { readFrames, serveRuntime } from './server.ts';

async function serveTeam(folder?: string) {
  const ran: unknown[] = [];
  const refund = buildTool({ name: 'refund', needsApproval: true, run: (args) => ran.push(args) });
  const { runtime, ...opened } = await openTeam({
    sub_agents: ['checker'],
    members: { checker: {} },
    tools: [refund],
    ...(folder && { folder }),
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Refund 7.')] } : 'Refunded.'),
      'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'refund', arguments: { text: '7' } }] } : 'Done.'),
    },
  });
  return { ran, runtime, ...opened, ...(await serveRuntime(runtime)) };
}

const read = async (response: Response) => (await response.json()) as Record<string, never>; // each test reads its fields

interface Task {
  id: string;
  status: { state: string; message?: { parts: object[] } };
}

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

  it('is in the events, the turn and the trace of the team, as one tree', async () => {
    const { call } = await serveTeam();
    const frames = await readFrames(await call('POST /agent/lead/chat/stream', { body: { message: 'Refund 7' } }));
    const session_id = String(frames.at(-1)?.data.session_id);
    const [begun, waits] = frames.filter(({ data }) => data.type === 'delegation').map(({ data }) => data);
    const request = frames.find(({ data }) => data.type === 'approval_request')?.data;
    expect(request).toMatchObject({ name: 'refund', agent: 'checker', arguments: { text: '7' } });
    expect(begun).toMatchObject({ agent: 'checker', turn_id: expect.any(String) });
    expect(waits).toEqual({ ...begun, open: [request?.call_id] });
    const { turns } = (await read(await call(`GET /sessions/${session_id}/turns`))) as unknown as {
      turns: { id: string }[];
    };
    expect(turns).toMatchObject([
      {
        status: 'waiting',
        calls: [{ delegation: { agent: 'checker', turn_id: begun?.turn_id, status: 'waiting' } }],
      },
    ]);
    await call(`POST /sessions/${session_id}/resume`, { body: [{ call_id: request?.call_id, approved: true }] });
    const trace = await read(await call(`GET /sessions/${session_id}/turns/${turns[0]?.id}/trace`));
    expect(trace).toMatchObject({
      calls: [{ call_id: begun?.call_id, name: 'delegate_to_checker' }],
      members: [{ call_id: begun?.call_id, agent: 'checker', turn_id: begun?.turn_id, calls: [{ name: 'refund' }] }],
    });
  });

  it('is given after a restart', async () => {
    const before = await serveTeam();
    const waiting = await read(await before.call('POST /agent/lead/chat', { body: { message: 'Refund order 7' } }));
    const { session_id, asked } = waiting as unknown as { session_id: string; asked: { call_id: string }[] };
    await before.runtime.stop();
    const { call, ran } = await serveTeam(before.folder);
    const body = [{ call_id: asked[0]?.call_id, approved: true }];
    const done = await read(await call(`POST /sessions/${session_id}/resume`, { body }));
    expect(done).toMatchObject({ status: 'completed', content: 'Refunded.' });
    expect(ran).toHaveLength(1);
  });

  it('is asked and given through A2A, where a sentence names the member', async () => {
    const { call, ran } = await serveTeam();
    const say = async (message: object) => {
      const params = { message: { messageId: 'm', parts: [{ text: 'Refund 7' }], ...message } };
      const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params };
      const { result } = await read(await call('POST /agent/lead/a2a', { body }));
      return (result as unknown as { task: Task }).task;
    };
    const waiting = await say({});
    expect(waiting.status.message?.parts[0]).toEqual({
      text: 'Allow checker to call refund with {"text":"7"}? Answer yes or no.',
    });
    const done = await say({ messageId: 'n', taskId: waiting.id, parts: [{ text: 'yes' }] });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(ran).toHaveLength(1);
  });

  it('is asked and given through MCP', async () => {
    const { url, ran } = await serveTeam();
    const asked: string[] = [];
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { approved: true } };
    });
    const requestInit = { headers: { authorization: 'Bearer alice' } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
    onTestFinished(() => client.close());
    const answer = await client.callTool({ name: 'ask_lead', arguments: { message: 'Refund 7' } });
    expect(answer.structuredContent).toMatchObject({ status: 'completed', content: 'Refunded.' });
    expect(asked).toEqual(['Allow checker to call refund with {"text":"7"}?']);
    expect(ran).toHaveLength(1);
  });

  it('is named in the answer of the OpenAI front, where the conversation is named', async () => {
    const { call } = await serveTeam();
    const body = { model: 'lead', messages: [{ role: 'user', content: 'Refund 7' }] };
    const headers = { 'x-session-id': 'ours' };
    const answer = await (await call('POST /v1/chat/completions', { body, headers })).text();
    expect(answer).toContain('Waiting for a decision about checker: refund.');
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

it('a member that fails is a failed subagent for AG-UI, and the team goes on', async () => {
  const { runtime } = await openTeam({
    sub_agents: ['checker'],
    members: { checker: {} },
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Check.')] } : 'Without the checker.'),
      'lead/checker': () => ({ error: new Error('broken') }),
    },
  });
  const { call } = await serveRuntime(runtime);
  const messages = [{ id: 'm', role: 'user', content: 'Check' }];
  const body = { threadId: 't', runId: 'r', protocolVersion: '1.0', messages };
  const frames = await readFrames(await call('POST /awp', { body }));
  const failed = frames.find(({ data }) => data.type === 'SUBAGENT_ERROR')?.data;
  expect(failed).toMatchObject({ message: expect.stringContaining('checker failed') });
  expect(frames.map(({ data }) => data.type)).not.toContain('SUBAGENT_FINISHED');
  expect(frames.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
});
