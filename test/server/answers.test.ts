import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, serveRuntime } from './server.ts';

const RETAIL = join(import.meta.dirname, '..', '..', 'agents', 'retail', 'agent.yaml');

type Read = Record<string, unknown> & { role: string; messages: Read[]; turns: Read[] };

async function read(response: Response): Promise<Read> {
  return (await response.json()) as Read; // each test compares the fields that it reads
}

const FACTS = ['sources', 'suggestions', 'confidence', 'checks', 'routing', 'status', 'finish_reason'] as const;
const factsOf = (shown: Read | undefined) => Object.fromEntries(FACTS.map((name) => [name, shown?.[name]]));

describe('older answers that are read back', () => {
  it('carry their facts, even when their events are gone', async () => {
    const folder = temporaryFolder();
    const runtime = await createRuntime({ agents: [await loadAgent(RETAIL)], folder });
    onTestFinished(() => runtime.stop());
    const { call } = await serveRuntime(runtime);
    const chat = async (body: object) => read(await call('POST /agent/retail-analyst/chat', { body }));
    const first = await chat({ message: 'Which location has the most stock?' });
    const { session_id } = first;
    const second = await chat({ message: 'Which category has the most revenue?', session_id });
    const database = new DatabaseSync(join(folder, 'holodeck.db'));
    database.exec('DELETE FROM events');
    database.close();

    const { messages } = await read(await call(`GET /sessions/${session_id}`));
    const answers = messages.filter((message) => message.sources !== undefined);
    expect(first.confidence).toBe('high');
    expect(answers.map(factsOf)).toEqual([first, second].map(factsOf));
    expect(answers.map((answer) => answer.id)).toEqual([first.message_id, second.message_id]);
    expect(new Set(messages.map((message) => message.turn_id)).size).toBe(2);

    const { turns } = await read(await call(`GET /sessions/${session_id}/turns`));
    const results = turns.map((turn) => turn.result as Read); // an ended turn has one
    expect(results.map(factsOf)).toEqual([second, first].map(factsOf));
    expect(results.map((result) => result.tool_calls)).toEqual([second.tool_calls, first.tool_calls]);
  });

  it('carry the usage of the whole turn, on its last text only', async () => {
    const usage = (prompt: number) => ({ prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 });
    const replies = [
      { text: 'Let me look.', calls: [{ name: 'echo' }], usage: usage(10) },
      { text: 'Done.', usage: usage(20) },
    ];
    const { call } = await openServer({ replies, tools: [buildTool()] });
    const { session_id } = await read(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
    const { messages } = await read(await call(`GET /sessions/${session_id}`));
    const shown = messages.filter(({ role }) => role === 'assistant');
    expect(shown.map(({ content, status }) => [content, status])).toEqual([
      ['Let me look.', undefined],
      ['Done.', 'completed'],
    ]);
    expect(shown[1]?.tokens_used).toEqual({ prompt_tokens: 30, completion_tokens: 2, total_tokens: 32 });
  });
});

describe('GET /sessions/{id}/turns', () => {
  it('lists siblings with parent, replaces and active, page by page', async () => {
    const { call } = await openServer({ replies: ['One.', 'Two.', 'Two again.'] });
    const run = async (runId: string, id: string) => {
      const messages = [{ id, role: 'user', content: id }];
      await (await call('POST /awp', { body: { threadId: 't', runId, messages, tools: [], context: [] } })).text();
    };
    await run('r1', 'm1');
    await run('r2', 'm2');
    await run('r3', 'm2');
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one shape
    const path = `GET /sessions/${sessions[0]?.session_id}/turns`;
    const { turns } = await read(await call(path));
    const [again, two, one] = turns;
    expect(turns.map((turn) => [turn.parent, turn.replaces, turn.active, (turn.result as Read).content])).toEqual([
      [one?.id, two?.id, true, 'Two again.'],
      [one?.id, undefined, false, 'Two.'],
      [undefined, undefined, true, 'One.'],
    ]);
    const page = await read(await call(`${path}?limit=1`));
    expect(page).toMatchObject({ turns: [{ id: again?.id }], next_before: again?.id });
    expect(await read(await call(`${path}?before=${two?.id}`))).toEqual({ turns: [one] });
  });
});
