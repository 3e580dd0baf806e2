import { HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer, type ServerScene } from './server.ts';

const PICK = { name: 'pick', description: 'Lets the user pick', parameters: { type: 'object', properties: {} } };
const callPick = { text: 'Pick one.', calls: [{ name: 'pick', arguments: {} }] };

/** The protocol's own client, with a front-end tool whose result it does not follow up. */
async function openAgent(scene: ServerScene) {
  const server = await openServer(scene);
  const headers = { authorization: 'Bearer alice' };
  const agent = new HttpAgent({ url: `${server.url}/awp`, headers, threadId: 'thread 1' });
  const ask = (content: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    return agent.runAgent({ tools: [PICK] });
  };
  const pendingCalls = () =>
    agent.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const bring = (content: string) => {
    const toolCallId = pendingCalls().at(-1)?.id ?? '';
    agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId, content });
  };
  return { ...server, agent, ask, bring };
}

describe('a front-end tool without a follow-up', () => {
  it('gives its result together with the next message: the result is taken, then the message is answered', async () => {
    const { ask, bring, model, runtime, call } = await openAgent({ replies: [callPick, 'Next.', 'And more.'] });
    await ask('hello');
    bring('blue');
    expect((await ask('thanks')).newMessages).toMatchObject([{ role: 'assistant', content: 'Next.' }]);
    expect(model.requests[1]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['assistant', 'Pick one.'],
      ['tool', 'blue'],
      ['assistant', '(These calls were followed by no words.)'],
      ['user', 'thanks'],
    ]);
    expect((await ask('and now?')).newMessages).toMatchObject([{ role: 'assistant', content: 'And more.' }]);
    expect(model.requests).toHaveLength(3);
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(await (await call('GET /sessions')).json()).toMatchObject({ sessions: [{ thread_id: 'thread 1' }] });
  });

  it('is given up when the next message comes without its result, and the model reads so', async () => {
    const { ask, model } = await openAgent({ replies: [callPick, 'Next.'] });
    await ask('hello');
    expect((await ask('never mind')).newMessages).toMatchObject([{ role: 'assistant', content: 'Next.' }]);
    const result = model.requests[1]?.messages.find(({ role }) => role === 'tool');
    expect(result?.content).toContain('did not return a result');
  });

  it('is the same run when it is sent again, and takes the result once', async () => {
    const { agent, ask, bring, call, model } = await openAgent({ replies: [callPick, 'Next.'] });
    await ask('hello');
    bring('blue');
    const messages = [...agent.messages, { id: 'm', role: 'user', content: 'thanks' }];
    const body = { threadId: 'thread 1', runId: 'again', messages, tools: [PICK], context: [] };
    const texts = [await (await call('POST /awp', { body })).text(), await (await call('POST /awp', { body })).text()];
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('Next.');
    expect(model.requests).toHaveLength(2);
  });

  it('does not step over a decision that the thread waits for as well', async () => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const replies = [{ calls: [{ name: 'pick', arguments: {} }, { name: 'remove' }] }, 'Next.'];
    const { agent, ask, call } = await openAgent({ replies, tools: [remove] });
    await ask('hello');
    const messages = [...agent.messages, { id: 'm', role: 'user', content: 'never mind' }];
    const body = { threadId: 'thread 1', runId: 'r', messages, tools: [PICK], context: [] };
    const refused = await call('POST /awp', { body });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'awaiting_input' }]);
  });

  it('waits as before for a message over REST', async () => {
    const { ask, call } = await openAgent({ replies: [callPick] });
    await ask('hello');
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one shape
    const body = { message: 'never mind', session_id: sessions[0]?.session_id };
    expect((await call('POST /agent/helper/chat', { body })).status).toBe(409);
  });
});
