import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { buildTool } from '../build.ts';
import { openServer, readFrames, type ServerScene, type SseFrame } from './server.ts';

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
