import { type BaseEvent, EventType, HttpAgent } from '@ag-ui/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelChunk } from '../../src/models/model.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { buildAgent, buildTool } from '../build.ts';
import { EVENT_STREAM, startModelServer } from '../fakes/model-server.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readFrames, type ServerScene, type SseFrame, serveRuntime } from './server.ts';

const TASKS = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
const AGENT = { tools: [TASKS] };
const add = (title: string) => ({ name: 'add_task', arguments: { title } });
const WRITE = [{ calls: [add('buy milk'), add('call Ann')] }, 'Added.'];

interface Held {
  session_id: string;
  turn_id: string;
  tasks: Record<string, { title: string; is_completed: boolean; user_id?: string }>;
  last_query?: JsonObject;
  own?: string;
}

/** The protocol's own client; it warns when a patch does not fit its state. */
async function openClient(scene: ServerScene) {
  const warnings = vi.spyOn(console, 'warn');
  onTestFinished(() => {
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  });
  const server = await openServer({ agent: AGENT, ...scene });
  const headers = { authorization: 'Bearer alice' };
  const agent = new HttpAgent({ url: `${server.url}/awp`, headers, threadId: 't', initialState: { mine: 1 } });
  const states: Held[] = [];
  agent.subscribe({ onStateChanged: ({ state }) => void states.push(structuredClone(state.holodeck)) });
  const say = async (content: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    await agent.runAgent();
    return agent.state as { mine: number; holodeck: Held };
  };
  return { ...server, agent, say, states, headers };
}

const titles = ({ tasks }: Held) =>
  Object.values(tasks)
    .map(({ title }) => title)
    .toSorted();

/** The client of a reader that only follows. */
class Follower extends HttpAgent {
  protected override requestInit() {
    return { method: 'GET', headers: this.headers };
  }
}

describe('the shared state of AG-UI', () => {
  it('has the tasks at the start of a run and each change as it happens, beside the state of the page', async () => {
    const replies = [{ calls: [add('buy milk')] }, { calls: [add('call Ann')] }, 'Added.', 'Hello.'];
    const { say, states } = await openClient({ replies });
    const { mine, holodeck } = await say('add two');
    expect([mine, titles(holodeck)]).toEqual([1, ['buy milk', 'call Ann']]);
    expect(states.map(titles)).toEqual([[], ['buy milk'], ['buy milk', 'call Ann']]);
    expect(Object.values(holodeck.tasks)[0]).not.toHaveProperty('user_id');
    states.length = 0;
    await say('hello');
    expect(states.map(titles)).toEqual([['buy milk', 'call Ann']]);
  });

  it('removes and changes single tasks', async () => {
    const { say, agent, runtime, model } = await openClient({
      replies: (request) => {
        const done = request.messages.at(-1)?.role === 'tool';
        const text = String(request.messages.findLast(({ role }) => role === 'user')?.content);
        if (done) return 'Done.';
        if (text === 'add') return { calls: [add('buy milk'), add('call Ann')] };
        const [milk, ann] = ['buy milk', 'call Ann'].map((title) => ids.get(title) ?? '');
        return {
          calls: [
            { name: 'complete_task', arguments: { task_id: milk ?? '' } },
            { name: 'delete_task', arguments: { task_id: ann ?? '' } },
          ],
        };
      },
    });
    const ids = new Map<string, string>();
    const { holodeck } = await say('add');
    for (const [id, { title }] of Object.entries(holodeck.tasks)) ids.set(title, id);
    const after = (await say('change')).holodeck;
    expect(Object.values(after.tasks)).toMatchObject([{ title: 'buy milk', is_completed: true }]);
    expect([model.requests.length, runtime.activeTurns, agent.pendingInterrupts]).toEqual([4, 0, []]);
  });

  it('shows a change of another front at the start of the next run', async () => {
    const { say, call } = await openClient({ replies: [...WRITE, 'Hello.'] });
    const { holodeck } = await say('add');
    const [id] = Object.keys(holodeck.tasks);
    await call(`POST /agent/helper/tasks/${id}`, { body: { deleted: true } });
    expect(Object.keys((await say('hello')).holodeck.tasks)).not.toContain(id);
  });

  it('has the last query with its domain, also in a later run', async () => {
    const stock = { name: 'stock', display_name: 'Stock', description: 'Stock', mcp_tools: ['ask_stock'] };
    const query = { calls: [{ name: 'ask_stock', arguments: { text: 'how many bags?' } }] };
    const result = { reading: 'bags', content: { queryAttachments: [{ query: 'SELECT 12' }] } };
    const tools = [buildTool({ name: 'ask_stock', readOnly: true, run: () => result })];
    const scene = { replies: [query, '12 bags.', 'Hello.'], tools, agent: { domains: [stock] } };
    const { say, url, headers } = await openClient(scene);
    const asked = expect.objectContaining({
      tool: 'ask_stock',
      domain: 'stock',
      arguments: { text: 'how many bags?' },
      reading: 'bags',
      sql: 'SELECT 12',
    });
    expect((await say('how many bags?')).holodeck.last_query).toEqual(asked);
    // A page that was loaded again has lost its state.
    const again = new HttpAgent({ url: `${url}/awp`, headers, threadId: 't' });
    again.addMessage({ id: 'm2', role: 'user', content: 'hello' });
    await again.runAgent();
    expect(again.state.holodeck.last_query).toEqual(asked);
  });

  it('is the same for a client that follows, and for a run that is sent again', async () => {
    const { say, url, headers, agent, call } = await openClient({ replies: WRITE });
    const runs: string[] = [];
    agent.subscribe({ onRunStartedEvent: ({ event }) => void runs.push(event.runId) });
    const { holodeck } = await say('add');
    const path = `/sessions/${holodeck.session_id}/events?format=ag-ui`;
    const follower = new Follower({ url: `${url}${path}`, headers, threadId: 't' });
    await follower.runAgent();
    expect(follower.state.holodeck).toEqual(agent.state.holodeck);
    const body = { threadId: 't', runId: runs[0], protocolVersion: '1.0', messages: agent.messages.slice(0, 1) };
    const again = replay({}, await readFrames(await call('POST /awp', { body })));
    expect(again).toEqual({ holodeck: agent.state.holodeck });
  });

  it('reaches a reader that continues anywhere, and no change is applied twice', async () => {
    const { call } = await openServer({ replies: WRITE, agent: AGENT });
    const messages = [{ id: 'm', role: 'user', content: 'add' }];
    const body = { threadId: 't', runId: 'r', protocolVersion: '1.0', messages };
    const frames = await readFrames(await call('POST /awp', { body }));
    const { holodeck } = replay({}, frames) as unknown as { holodeck: Held }; // as the snapshot has it
    expect(titles(holodeck)).toEqual(['buy milk', 'call Ann']);
    for (const [index, { id }] of frames.entries()) {
      const response = await call(`GET /sessions/${holodeck.session_id}/events?format=ag-ui`, {
        headers: { 'last-event-id': id },
      });
      const rest = response.status === 204 ? [] : await readFrames(response);
      const held = replay({}, frames.slice(0, index + 1));
      expect([index, replay(held, rest)]).toEqual([index, { holodeck }]);
    }
  });

  it('of one user has no task of another', async () => {
    const { say, url } = await openClient({ replies: [...WRITE, 'Hello.'] });
    await say('add');
    const bob = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer bob' }, threadId: 't' });
    bob.addMessage({ id: 'b', role: 'user', content: 'hello' });
    await bob.runAgent();
    expect(bob.state.holodeck.tasks).toEqual({});
  });
});

/** Applies the state events; throws if one does not fit. */
function replay(start: JsonObject, frames: readonly SseFrame[]): JsonObject {
  let state = structuredClone(start);
  for (const { data } of frames) {
    if (data.type === 'STATE_SNAPSHOT') state = structuredClone(data.snapshot) as JsonObject; // as the protocol has it
    if (data.type !== 'STATE_DELTA') continue;
    // As the protocol has it.
    for (const { op, path, value } of data.delta as { op: string; path: string; value?: Json }[]) {
      const steps = path.slice(1).split('/');
      const last = steps.pop() ?? '';
      const parent = steps.reduce<JsonObject>((inner, step) => inner[step] as JsonObject, state); // throws below if absent
      if (op === 'remove' && !(last in parent)) throw new Error(`nothing at ${path}`);
      if (op === 'remove') delete parent[last];
      else parent[last] = value ?? null;
    }
  }
  return state;
}

const piece = (text: string, index = 0): ModelChunk => ({ type: 'call-part', index, name: 'echo', text });
const whole = (text: string): ModelChunk => ({ type: 'tool-call', id: 'c', name: 'echo', arguments: text });
const finish: ModelChunk = { type: 'finish', reason: 'tool-calls' };

/** The protocol's own client, which checks the order of all events and warns about patches that do not fit. */
async function run(url: string) {
  const warnings = vi.spyOn(console, 'warn');
  onTestFinished(() => {
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  });
  const agent = new HttpAgent({ url: `${url}/awp`, headers: { authorization: 'Bearer alice' }, threadId: 't' });
  const events: BaseEvent[] = [];
  const predicted: JsonObject[][] = [];
  agent.subscribe({
    onEvent: ({ event }) => void events.push(event),
    onStateChanged: ({ state }) => void predicted.push(Object.values(structuredClone(state.holodeck.pending ?? {}))),
  });
  agent.addMessage({ id: 'm', role: 'user', content: 'hello' });
  await agent.runAgent();
  const made = agent.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const calls = made.map(({ function: { name, arguments: args } }) => [name, args]);
  const ofCalls = events.filter(({ type }) => type.startsWith('TOOL_CALL'));
  const pieces = ofCalls.flatMap((event) => ('delta' in event ? [event.delta] : []));
  return { agent, calls, pieces, types: ofCalls.map(({ type }) => type), events, predicted };
}

async function play(chunks: ModelChunk[]) {
  const { url } = await openServer({ replies: [{ chunks }, 'Done.'], tools: [buildTool()] });
  return run(url);
}

const { TOOL_CALL_START, TOOL_CALL_ARGS, TOOL_CALL_END, TOOL_CALL_RESULT, MESSAGES_SNAPSHOT } = EventType;

describe('arguments that the model streams', () => {
  it('are sent as they come, and predicted in the shared state until the call has ended', async () => {
    const text = '{"text":"a long text"}';
    const chunks = [piece('{"text":"a '), piece('long'), piece(' text"}'), whole(text), finish];
    const { calls, pieces, types, predicted, agent } = await play(chunks);
    expect(pieces).toEqual(['{"text":"a ', 'long', ' text"}']);
    expect(types).toEqual([
      TOOL_CALL_START,
      TOOL_CALL_ARGS,
      TOOL_CALL_ARGS,
      TOOL_CALL_ARGS,
      TOOL_CALL_END,
      TOOL_CALL_RESULT,
    ]);
    expect(calls).toEqual([['echo', text]]);
    const shown = (value: string) => [{ tool: 'echo', arguments: { text: value } }];
    expect(predicted).toEqual([[], shown('a '), shown('a long'), shown('a long text'), []]);
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('of several calls belong to their calls', async () => {
    const other: ModelChunk = { type: 'tool-call', id: 'd', name: 'echo', arguments: '{"text":"b"}' };
    const chunks = [piece('{"text"'), piece('{"text":"b"}', 1), piece(':"a"}'), whole('{"text":"a"}'), other, finish];
    expect((await play(chunks)).calls).toEqual([
      ['echo', '{"text":"a"}'],
      ['echo', '{"text":"b"}'],
    ]);
  });

  it('of a reply that was requested again leave nothing behind', async () => {
    const again: ModelChunk = { type: 'notice', text: 'Trying again.' };
    const { calls, types, events, agent } = await play([
      piece('{"text":"wro'),
      again,
      piece('{"text":"a"}'),
      whole('{"text":"a"}'),
      finish,
    ]);
    expect(calls).toEqual([['echo', '{"text":"a"}']]);
    expect(types.filter((type) => type === TOOL_CALL_END)).toHaveLength(2);
    expect(events.some(({ type }) => type === MESSAGES_SNAPSHOT)).toBe(true);
    expect(agent.state.holodeck.pending).toEqual({});
  });

  it('that are not those of the call are replaced', async () => {
    const { calls } = await play([piece('{"text":"a'), whole('{"text":"b"}'), finish]);
    expect(calls).toEqual([['echo', '{"text":"b"}']]);
  });

  it('have no terminal sequences', async () => {
    const text = '{"text":"a\u001b[31mb"}';
    const { pieces, events } = await play([piece(text), whole(text), finish]);
    expect(pieces.join('')).not.toContain('\u001b');
    expect(JSON.stringify(events)).not.toContain('\u001b');
  });

  it('come from the stream of a provider', async () => {
    const delta = (part: object) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...part }] } }] })}\n\n`;
    const model = await startModelServer([
      async (response) => {
        response.writeHead(200, EVENT_STREAM);
        response.write(delta({ id: 'c', type: 'function', function: { name: 'echo', arguments: '' } }));
        for (const text of ['{"te', 'xt":', '"a"}']) response.write(delta({ function: { arguments: text } }));
        response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n');
      },
      (response) => {
        response.writeHead(200, EVENT_STREAM);
        response.end(
          'data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        );
      },
    ]);
    onTestFinished(() => model[Symbol.asyncDispose]());
    const agent = buildAgent({
      model: { provider: 'openai_compatible', name: 'fake', endpoint: `${model.url}/v1` },
    });
    const tools = [
      { name: 'echo', description: 'Echoes', parameters: { type: 'object' }, run: (args: object) => args },
    ];
    const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), tools });
    onTestFinished(() => runtime.stop());
    const { url } = await serveRuntime(runtime);
    const { calls, pieces } = await run(url);
    expect([pieces.join(''), calls]).toEqual(['{"text":"a"}', [['echo', '{"text":"a"}']]]);
  });
});
