import { EventSchema } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer, readAnswer, readFrames, type SseFrame } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const run = (threadId: string, content: string) => ({
  threadId,
  runId: 'run-1',
  messages: [{ id: 'message-1', role: 'user', content }],
  tools: [],
  context: [],
});

function dataOf(frames: readonly SseFrame[], type: string) {
  return frames.map(({ data }) => data).filter((data) => data.type === type);
}

describe('AG-UI frames of a followed conversation', () => {
  it('begin with the message that somebody else sent', async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const { session_id } = await readAnswer(await call(CHAT, { body: { message: 'hello' } }));
    const frames = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
    const [start] = dataOf(frames, 'RUN_STARTED');
    expect(start?.input).toEqual({
      threadId: session_id,
      runId: start?.runId,
      messages: [{ id: expect.any(String), role: 'user', content: 'hello' }],
      tools: [],
      context: [],
    });
    for (const { data } of frames) expect(EventSchema.safeParse(data).error).toBeUndefined();
  });

  it("have the client's own id for its message, so that it is not shown twice", async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const own = await readFrames(await call('POST /agent/helper/awp', { body: run('thread', 'hello') }));
    expect(dataOf(own, 'RUN_STARTED')[0]).not.toHaveProperty('input');
    const session_id = /"session_id":"(\w+)"/.exec(JSON.stringify(own))?.[1];
    const followed = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
    expect(dataOf(followed, 'RUN_STARTED')[0]?.input).toMatchObject({
      threadId: 'thread',
      runId: 'run-1',
      messages: [{ id: 'message-1', role: 'user', content: 'hello' }],
    });
  });
});

describe('AG-UI frames of a call', () => {
  it.each([
    ['completed', buildTool({ name: 'look' })],
    ['failed', buildTool({ name: 'look', outcome: { error: { error_type: 'ToolInvocationError', message: 'no' } } })],
  ])('have the time on the server right after the result (%s)', async (state, tool) => {
    const replies = [{ calls: [{ name: 'look', arguments: {} }] }, 'Done.'];
    const { call } = await openServer({ replies, tools: [tool] });
    const frames = await readFrames(await call('POST /agent/helper/awp', { body: run('thread', 'look') }));
    const at = frames.findIndex(({ data }) => data.type === 'TOOL_CALL_RESULT');
    expect(frames[at + 1]?.data).toEqual({
      type: 'CUSTOM',
      name: 'tool_time',
      value: {
        call_id: frames[at]?.data.toolCallId,
        state,
        started_at: expect.stringMatching(/^\d{4}-.*Z$/),
        duration_ms: expect.any(Number),
      },
    });
    for (const { data } of frames) expect(EventSchema.safeParse(data).error).toBeUndefined();
  });
});
