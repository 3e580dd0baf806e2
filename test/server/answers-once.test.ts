import { expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openScript, SERVERS } from '../fixtures/mcp-servers/open.ts';
import { openServer } from './server.ts';

interface Waiting {
  session_id: string;
  status: string;
  content: string;
  question: { call_id: string };
  tool_calls: { id: string }[];
}
const CHAT = 'POST /agent/helper/chat';

async function openDecision() {
  const ran: string[] = [];
  const remove = buildTool({ name: 'remove', needsApproval: true, run: () => `removed ${ran.push('remove')}` });
  const server = await openServer({ replies: [{ calls: [{ name: 'remove' }] }, 'Done.'], tools: [remove] });
  const waiting = (await (await server.call(CHAT, { body: { message: 'remove it' } })).json()) as Waiting; // one shape
  const call_id = waiting.tool_calls[0]?.id;
  const resume = async (body: object[], headers: Record<string, string> = {}) => {
    const response = await server.call(`POST /sessions/${waiting.session_id}/resume`, { body, headers });
    return [response.status, await response.json()];
  };
  return { ran, call_id, resume };
}

it('two decisions on one call in one request are refused, and neither is taken', async () => {
  const { ran, call_id, resume } = await openDecision();
  for (const approved of [true, false]) {
    const both = [
      { call_id, approved },
      { call_id, approved: !approved },
    ];
    expect(await resume(both)).toMatchObject([
      422,
      { errors: [{ path: '[1].call_id', message: 'is already answered by an earlier entry' }] },
    ]);
  }
  expect(ran).toEqual([]);
  expect(await resume([{ call_id, approved: true }])).toMatchObject([200, { status: 'completed' }]);
  expect(ran).toEqual(['remove']);
});

it('another decision under a key that was used is refused, and the same one gives the same answer', async () => {
  const { ran, call_id, resume } = await openDecision();
  const key = { 'idempotency-key': 'decision 1' };
  const first = await resume([{ call_id, approved: true }], key);
  expect(first).toMatchObject([200, { status: 'completed', content: 'Done.' }]);
  expect(await resume([{ call_id, approved: true }], key)).toEqual(first);
  expect(await resume([{ call_id, approved: false }], key)).toMatchObject([422, { code: 'idempotency_mismatch' }]);
  expect(ran).toEqual(['remove']);
});

it('two answers to one question in one request are refused, and the question stays open', async () => {
  const source = openScript([`${SERVERS}/ask.mjs`]);
  const { call } = await openServer({
    replies: [{ calls: [{ name: 'ask' }] }, 'Done.'],
    tools: [],
    sources: [source],
  });
  const waiting = (await (await call(CHAT, { body: { message: 'hello' } })).json()) as Waiting; // one shape
  const { call_id } = waiting.question;
  const answer = (...cities: string[]) => {
    const body = cities.map((city) => ({ call_id, result: { city } }));
    return call(`POST /sessions/${waiting.session_id}/resume`, { body });
  };
  expect((await answer('Paris', 'Rome')).status).toBe(422);
  expect(await (await answer('Rome')).json()).toMatchObject({
    status: 'completed',
    tool_calls: [{ result: expect.stringContaining('Rome') }],
  });
  await source.close();
});
