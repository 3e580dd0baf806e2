import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { CALL_THREAD } from '../../src/schema/conversation/conversation.ts';
import { ALICE, buildTool } from '../build.ts';
import { collect } from '../runtime.ts';
import { openServer, readAnswer, type ServerScene } from './server.ts';

async function openClient(scene: ServerScene) {
  const server = await openServer(scene);
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
  return { ...server, client: clientOf('alice'), bob: clientOf('bob') };
}

const model = 'helper';
const pick: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'pick',
  description: 'Lets the user pick',
  parameters: { type: 'object', properties: {} },
  strict: null,
};
const callPick = { calls: [{ name: 'pick', arguments: { of: 'colours' } }] };

describe('responses', () => {
  it('answers whole and as a stream whose events the client accepts', async () => {
    const { client } = await openClient({ replies: ['Hello.', { text: ['Hel', 'lo ', 'again.'] }] });
    const whole = await client.responses.create({ model, input: 'hello' });
    expect([whole.status, whole.output_text]).toEqual(['completed', 'Hello.']);
    const stream = client.responses.stream({ model, input: 'hello' });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect((await stream.finalResponse()).output_text).toBe('Hello again.');
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
    expect(types).toEqual(expect.arrayContaining(['response.output_text.delta', 'response.output_item.done']));
  });

  it('continues the conversation of an earlier response', async () => {
    const { client, model: scripted } = await openClient({ replies: ['One.', 'Two.', 'Other two.'] });
    const first = await client.responses.create({ model, input: 'one' });
    const second = await client.responses.create({ model, input: 'two', previous_response_id: first.id });
    const texts = () => scripted.requests.at(-1)?.messages.map(({ content }) => content);
    expect(texts()).toEqual(['one', 'One.', 'two']);
    const other = await client.responses.create({ model, input: 'another two', previous_response_id: first.id });
    expect(texts()).toEqual(['one', 'One.', 'another two']);
    expect([second.output_text, other.output_text]).toEqual(['Two.', 'Other two.']);
    expect(other.conversation).toEqual(first.conversation);
  });

  it('calls a tool of the caller and takes its result', async () => {
    const { client } = await openClient({ replies: [callPick, 'Red it is.'] });
    const stream = client.responses.stream({ model, input: 'hello', tools: [pick] });
    const asked = await stream.finalResponse();
    const [call] = asked.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'pick', arguments: '{"of":"colours"}' });
    const call_id = call && 'call_id' in call ? String(call.call_id) : '';
    const answered = await client.responses.create({
      model,
      previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id, output: 'red' }],
      tools: [pick],
    });
    expect(answered.output_text).toBe('Red it is.');
  });

  it('runs in the background, is polled, and denies what needs approval', async () => {
    const { client } = await openClient({
      replies: [{ calls: [{ name: 'remove', arguments: {} }] }, 'I may not.'],
      tools: [buildTool({ name: 'remove', needsApproval: true })],
    });
    const begun = await client.responses.create({ model, input: 'hello', background: true });
    expect(begun.status).toBe('in_progress');
    const read = async () => client.responses.retrieve(begun.id);
    await expect.poll(async () => (await read()).status).toBe('completed');
    expect((await read()).output_text).toBe('I may not.');
  });

  it('is finished by a poll if its server died before it denied an approval', async () => {
    const replies = [{ calls: [{ name: 'remove', arguments: {} }] }, 'I may not.'];
    const tools = [buildTool({ name: 'remove', needsApproval: true })];
    // Minutes have passed since the wait, as far as the server knows.
    const clock = { ...systemClock, date: () => new Date(Date.now() + 300_000) };
    const { client, runtime } = await openClient({ replies, tools, app: { clock } });
    const turn = await runtime.chat(ALICE, { agent: model, message: 'hello', threadId: `${CALL_THREAD}left` });
    await collect(turn);
    const read = async () => client.responses.retrieve(`resp_${turn.turnId}`);
    expect((await read()).status).toBe('in_progress');
    await expect.poll(async () => (await read()).status).toBe('completed');
    expect((await read()).output_text).toBe('I may not.');
  });

  it('can be cancelled', async () => {
    const { client, runtime } = await openClient({ replies: [{ text: 'x', hang: true }] });
    const { id } = await client.responses.create({ model, input: 'hello', background: true });
    await expect.poll(() => runtime.activeTurns).toBe(1);
    expect((await client.responses.cancel(id)).status).toBe('cancelled');
    expect(runtime.activeTurns).toBe(0);
  });

  it('belongs to its user alone', async () => {
    const { client, bob } = await openClient({ replies: ['Mine.', 'x'] });
    const { id } = await client.responses.create({ model, input: 'hello' });
    const unknown = 'resp_01M7KGB2HFJ4NKN6F819GQJEDY';
    const seen = (promise: Promise<unknown>) =>
      promise.catch((error) => [error.status, error.message.replace(/resp_\w+/, '')]);
    for (const ask of [
      (of: string) => bob.responses.retrieve(of),
      (of: string) => bob.responses.cancel(of),
      (of: string) => bob.responses.create({ model, input: 'more', previous_response_id: of }),
    ]) {
      const foreign = await seen(ask(id));
      expect(foreign).toEqual(await seen(ask(unknown)));
      expect(foreign).toEqual([404, expect.any(String)]);
    }
    const hijacked = bob.responses.create({ model, input: 'more', conversation: 'x' });
    expect((await hijacked).output_text).toBe('x');
  });

  it('is one conversation with the other fronts if it is named', async () => {
    const { client, call } = await openClient({ replies: ['Over OpenAI.', 'Over REST.'] });
    await client.responses.create({ model, input: 'hello', conversation: 'desk 7' });
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // as Sessions has it
    const session_id = sessions[0]?.session_id;
    const answer = await call('POST /agent/helper/chat', { body: { message: 'go on', session_id } });
    expect((await readAnswer(answer)).content).toBe('Over REST.');
    expect((await readAnswer(await call(`GET /sessions/${session_id}`))).messages).toHaveLength(4);
  });
});
