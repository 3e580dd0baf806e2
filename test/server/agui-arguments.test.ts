import { type BaseEvent, EventType, HttpAgent } from '@ag-ui/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelChunk } from '../../src/models/model.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { buildAgent, buildTool } from '../build.ts';
import { EVENT_STREAM, startModelServer } from '../fakes/model-server.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, serveRuntime } from './server.ts';

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
