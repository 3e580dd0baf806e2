import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { Trace } from '../../src/schema/conversation/trace.ts';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { buildAgent, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openInterrupted, openServer, readAnswer, serveRuntime } from './server.ts';

type Call = Awaited<ReturnType<typeof openServer>>['call'];

async function readTrace(call: Call, id: string, place = 0): Promise<Trace> {
  const { turns } = (await (await call(`GET /sessions/${id}/turns`)).json()) as { turns: { id: string }[] };
  const response = await call(`GET /sessions/${id}/turns/${turns[place]?.id}/trace`);
  return Trace.parse(await response.json());
}

const chat = async (call: Call, message: string, session_id?: string) =>
  readAnswer(await call('POST /agent/helper/chat', { body: { message, session_id } }));
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };
const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };

/** A model's request in the format of a trace. */
const shown = ({ system, messages }: ModelRequest) => [
  { role: 'system', content: system },
  ...messages.map(({ role, content, ...message }) => ({
    role,
    content,
    ...('tool_calls' in message && message.tool_calls && { tool_calls: message.tool_calls }),
    ...('tool_call_id' in message && { tool_call_id: message.tool_call_id }),
  })),
];

describe('GET /sessions/{id}/turns/{turn}/trace', () => {
  it('gives steps and calls with their times and tokens, all of them within the turn', async () => {
    const replies = [
      { ...callEcho, usage },
      { text: 'Done.', usage },
    ];
    const { call } = await openServer({ replies });
    const { session_id: id } = await chat(call, 'hello');
    const trace = await readTrace(call, id);
    expect(trace).toMatchObject({
      status: 'completed',
      attempts: 1,
      steps: [
        { iteration: 1, tokens_used: usage },
        { iteration: 2, tokens_used: usage },
      ],
      calls: [{ name: 'echo', step: 1, state: 'completed', sent_arguments: { text: 'a' } }],
      waits: [],
      files: [],
    });
    const start = Date.parse(trace.started_at);
    const end = Date.parse(trace.ended_at ?? '');
    const places = [...trace.steps, ...trace.calls].flatMap((part) => [part.started_at ?? '', part.ended_at ?? '']);
    expect(places.map((at) => Date.parse(at)).every((at) => at >= start && at <= end)).toBe(true);
    expect([trace.total_ms, trace.active_ms]).toEqual([end - start, end - start]);
  });

  it('has the prompts that the model was sent, also of an older turn and after the history was cut', async () => {
    const folder = temporaryFolder();
    // A prompt contains the seconds, so the clock is fixed.
    const at = new Date('2026-03-01T10:00:00.000Z');
    const clock: Clock = { ...systemClock, date: () => at };
    const model = createScriptedModel([callEcho, 'One.', 'Two.', 'Three.', 'Four.', callEcho, 'Five.', 'Six.']);
    const agent = buildAgent({ limits: { history_messages: 4 } });
    const source = { name: 'test', tools: async () => [buildTool()], close: async () => {} };
    const sources = [{ ...source, status: () => ({ state: 'ready' as const, tools: [] }) }];
    const runtime = await createRuntime({ agents: [agent], folder, model, clock, sources });
    onTestFinished(() => runtime.stop());
    const { call } = await serveRuntime(runtime);
    const { session_id: id } = await chat(call, 'message 1');
    for (const number of [2, 3, 4, 5, 6]) await chat(call, `message ${number}`, id);
    const traces = [];
    for (const place of [5, 4, 3, 2, 1, 0]) traces.push(await readTrace(call, id, place));
    const prompts = traces.flatMap(({ steps }) => steps.map(({ prompt }) => prompt));
    expect(prompts).toEqual(model.requests.map(shown));
    expect(traces[0]?.steps[0]?.tools).toEqual(['echo']);
  });

  it('adds up: the time of waits is no active time', async () => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const ask = { calls: [{ name: 'remove', arguments: {} }] };
    const { call } = await openServer({ replies: [ask, 'Done.'], tools: [remove] });
    const { session_id: id, tool_calls } = await chat(call, 'hello');
    const body = [{ call_id: tool_calls[0]?.id, approved: true }];
    await call(`POST /sessions/${id}/resume`, { body });
    const trace = await readTrace(call, id);
    const waited = trace.waits.map((wait) => Date.parse(wait.ended_at ?? '') - Date.parse(wait.started_at));
    expect(trace.waits.map(({ reason }) => reason)).toEqual(['waiting']);
    expect(trace.active_ms + (waited[0] ?? 0)).toBe(trace.total_ms);
    expect(trace.attempts).toBe(2);
  });

  it('shows a reply that was cut off, and the one after it', async () => {
    const replies = [{ text: 'Half of', hang: true }];
    const { call, id } = await openInterrupted({ replies, later: ['Whole.'] });
    expect((await readTrace(call, id)).steps.map((step) => step.ended_at)).toEqual([undefined]);
    await call(`POST /sessions/${id}/continue`);
    const trace = await readTrace(call, id);
    expect(trace.steps.map(({ iteration, ended_at }) => [iteration, ended_at !== undefined])).toEqual([
      [1, false],
      [1, true],
    ]);
    expect(trace.waits).toMatchObject([{ reason: 'interrupted', ended_at: expect.any(String) }]);
  });

  it('has no prompts for a token without the scope, and no state of a provider for anybody', async () => {
    const metadata = { model_state: { signature: 'a secret of the provider' } };
    const chunks = [
      { type: 'tool-call' as const, id: 'c', name: 'echo', arguments: '{}' },
      { type: 'finish' as const, reason: 'tool-calls' as const, metadata },
    ];
    const scene = { replies: [{ chunks }, 'Done.'] };
    const { runtime, call } = await openServer(scene);
    const { session_id: id } = await chat(call, 'hello');
    const own = await readTrace(call, id);
    expect(own.steps[1]?.prompt?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(JSON.stringify(own)).not.toContain('a secret of the provider');
    const [agent] = runtime.agents;
    if (!agent) throw new Error('no agent');
    const jwt = { secret: 'x'.repeat(32), issuer: 'i', audience: 'a' };
    const server = { ...agent.server, auth: { jwt } as NonNullable<typeof agent.server.auth> }; // only its presence counts
    const { call: withAuth } = await serveRuntime(runtime, { server });
    const trace = await readTrace(withAuth, id);
    expect(trace.steps.map(({ prompt, tools }) => [prompt, tools])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(trace.calls).toHaveLength(1);
  });

  it('cuts prompts at 200 kB a step, and keeps the instructions and the newest messages', async () => {
    const agent = { instructions: 'Be brief.', limits: { message_chars: 400_000, context_tokens: 1_000_000 } };
    const { call } = await openServer({ replies: ['One.', 'Two.'], agent });
    const { session_id: id } = await chat(call, 'x'.repeat(190_000));
    await chat(call, `y${'z'.repeat(50_000)}`, id);
    const [step] = (await readTrace(call, id)).steps;
    expect([step?.prompt_cut, JSON.stringify(step?.prompt).length < 201_000]).toEqual([true, true]);
    expect(step?.prompt?.[0]?.content).toContain('Be brief.');
    expect(step?.prompt?.at(-1)?.content.length).toBe(50_001);
    expect((await readTrace(call, id, 1)).steps[0]?.prompt_cut).toBeUndefined();
  });

  it('is 410 when the events are gone, 404 for a turn of another conversation', async () => {
    const { call, folder } = await openServer({ replies: ['One.', 'Two.'] });
    const { session_id: id } = await chat(call, 'hello');
    const { session_id: other } = await chat(call, 'hello');
    const { turns } = (await (await call(`GET /sessions/${id}/turns`)).json()) as { turns: { id: string }[] };
    const turn = turns[0]?.id;
    const statusOf = async (path: string, as = 'alice') => (await call(`GET ${path}`, { as })).status;
    expect([
      await statusOf(`/sessions/${other}/turns/${turn}/trace`),
      await statusOf(`/sessions/${id}/turns/${newUlid()}/trace`),
      await statusOf(`/sessions/${id}/turns/x/trace`),
      await statusOf(`/sessions/${id}/turns/${turn}/trace`, 'bob'),
    ]).toEqual([404, 404, 422, 404]);
    const database = new DatabaseSync(join(folder, 'holodeck.db'));
    database.exec('DELETE FROM events');
    database.close();
    const gone = await call(`GET /sessions/${id}/turns/${turn}/trace`);
    expect([gone.status, (await readAnswer(gone)).code]).toEqual([410, 'no_longer_kept']);
  });
});
