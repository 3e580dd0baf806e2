import OpenAI from 'openai';
import type { ChatCompletionToolChoiceOption } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { AppError } from '../../src/errors.ts';
import { CALL_THREAD } from '../../src/schema/conversation/conversation.ts';
import { ALICE, buildTool } from '../build.ts';
import { collect } from '../runtime.ts';
import { openServer, readAnswer, type ServerScene } from './server.ts';

/** A server and OpenAI's own client against it. */
async function openClient(scene: ServerScene, as = 'alice') {
  const server = await openServer(scene);
  const client = new OpenAI({ apiKey: as, baseURL: `${server.url}/v1`, maxRetries: 0 });
  return { ...server, client };
}

async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const hello: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];
const pick: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: { name: 'pick', description: 'Lets the user pick', parameters: { type: 'object', properties: {} } },
};
const callPick = { calls: [{ name: 'pick', arguments: { of: 'colours' } }] };
const down = new AppError('model_unavailable', { detail: 'The model is down.' });
const remove = buildTool({ name: 'remove', needsApproval: true });

describe('chat completions', () => {
  it('answers whole and as a stream, with usage', async () => {
    const { client } = await openClient({ replies: ['Hello.', { text: ['Hel', 'lo ', 'again.'] }] });
    const whole = await client.chat.completions.create({ model: 'helper', messages: hello });
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello.' },
    });
    const stream = await client.chat.completions.create({
      model: 'helper',
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await readAll(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello again.');
    expect(chunks.at(-1)?.usage?.total_tokens).toEqual(expect.any(Number));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('answers in the format of the request, whole, parsed by the client and as a stream', async () => {
    const answer = '{"city":"Bonn"}';
    const { client, model } = await openClient({
      replies: ['Bonn', answer, { text: ['{"city":', '"Bonn"}'] }, answer],
    });
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'place', strict: true, schema } };
    const whole = await client.chat.completions.parse({ model: 'helper', messages: hello, response_format });
    expect(whole.choices[0]?.message.parsed).toEqual({ city: 'Bonn' });
    const stream = client.chat.completions.stream({ model: 'helper', messages: hello, response_format });
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual({ city: 'Bonn' });
    const text = { format: { type: 'json_schema' as const, name: 'place', schema } };
    const response = await client.responses.parse({ model: 'helper', input: 'hello', text });
    expect(response.output_parsed).toEqual({ city: 'Bonn' });
    expect(model.requests.map(({ responseFormat }) => responseFormat)).toEqual([schema, schema, schema, schema]);
  });

  it('ends with an error when the answer has another format after its correction', async () => {
    const { client } = await openClient({ replies: ['Bonn', 'Bonn'] });
    const response_format = { type: 'json_object' as const };
    const asked = client.chat.completions.create({ model: 'helper', messages: hello, response_format });
    await expect(asked).rejects.toMatchObject({ status: 502, code: 'answer_format' });
  });

  it('lists agents as models and names them when another one is asked for', async () => {
    const { client } = await openClient({ replies: [] });
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['helper']);
    expect((await client.models.retrieve('helper')).owned_by).toBe('holodeck');
    const asked = client.chat.completions.create({ model: 'gpt-9', messages: hello });
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'agent_not_found', message: /helper/ });
  });

  it("runs the agent's own tools inside and leaves the caller's tools to the caller", async () => {
    const { client, model } = await openClient({
      replies: [{ calls: [{ name: 'echo', arguments: { text: 'a' } }] }, callPick, 'Red it is.'],
    });
    const own = { name: 'pick', description: 'Picks', parameters: {}, function: (sent: string) => `red of ${sent}` };
    const tools = [{ type: 'function' as const, function: own }];
    const runner = client.chat.completions.runTools({ model: 'helper', messages: hello, tools });
    expect(await runner.finalContent()).toBe('Red it is.');
    expect(model.requests).toHaveLength(3);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('red of');
  });

  const hosted = { model: { provider: 'openai_compatible', name: 'x', endpoint: 'http://127.0.0.1:9/v1' } };

  it('makes the first reply call a tool, or the named one, and leaves later replies to the agent', async () => {
    const calls = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };
    const { client, model } = await openClient({
      replies: () => (model.requests.length % 2 ? calls : 'Done.'),
      agent: hosted,
    });
    const ask = (tool_choice: ChatCompletionToolChoiceOption) =>
      client.chat.completions.create({ model: 'helper', messages: hello, tools: [pick], tool_choice });
    await ask('required');
    await ask({ type: 'function', function: { name: 'pick' } });
    await ask('auto');
    const own = { type: 'function' as const, name: 'pick', parameters: {}, strict: null };
    const named = { type: 'function' as const, name: 'pick' };
    await client.responses.create({ model: 'helper', input: 'hello', tools: [own], tool_choice: named });
    const choices = model.requests.map(({ toolChoice }) => toolChoice);
    const forced = { name: 'pick' };
    expect(choices).toEqual(['required', undefined, forced, undefined, undefined, undefined, forced, undefined]);
  });

  it.each([
    [
      'a tool that the request does not have',
      { tool_choice: { type: 'function', function: { name: 'other' } }, tools: [pick] },
    ],
    ['no tools', { tool_choice: 'required' }],
  ])('refuses tool_choice with %s', async (_what, more) => {
    const { call } = await openClient({ replies: [], agent: hosted });
    const response = await call('POST /v1/chat/completions', { body: { model: 'helper', messages: hello, ...more } });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param: 'tool_choice' } }]);
  });

  it('streams a call of the caller and takes its result in the next request, once', async () => {
    const { client, model } = await openClient({ replies: [callPick, 'Red it is.'] });
    const stream = client.chat.completions.stream({ model: 'helper', messages: hello, tools: [pick] });
    const { choices } = await stream.finalChatCompletion();
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({ function: { name: 'pick', arguments: '{"of":"colours"}' } });
    const messages = [
      ...hello,
      choices[0]?.message ?? { role: 'assistant' as const, content: '' },
      { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'red' },
    ];
    const ask = async () =>
      (await client.chat.completions.create({ model: 'helper', messages, tools: [pick] })).choices[0];
    expect((await ask())?.message.content).toBe('Red it is.');
    expect((await ask())?.message.content).toBe('Red it is.');
    expect(model.requests).toHaveLength(2);
  });

  it('takes no result for another user', async () => {
    const { client, url } = await openClient({ replies: [callPick, 'Red it is.'] });
    const { choices } = await client.chat.completions.create({ model: 'helper', messages: hello, tools: [pick] });
    const id = choices[0]?.message.tool_calls?.[0]?.id ?? '';
    const bob = new OpenAI({ apiKey: 'bob', baseURL: `${url}/v1`, maxRetries: 0 });
    const answer = (tool_call_id: string) =>
      bob.chat.completions
        .create({ model: 'helper', messages: [...hello, { role: 'tool', tool_call_id, content: 'blue' }] })
        .catch(({ status, code }) => ({ status, code }));
    expect(await answer(id)).toEqual({ status: 404, code: 'not_found' });
    expect(await answer('call_01M7KGB2HFJ4NKN6F819GQJEDY_0')).toEqual({ status: 404, code: 'not_found' });
  });

  it('denies what needs approval, and says so to the model', async () => {
    const { client, model } = await openClient({
      replies: [{ calls: [{ name: 'remove', arguments: {} }] }, 'I may not.'],
      tools: [remove],
    });
    const { choices } = await client.chat.completions.create({ model: 'helper', messages: hello });
    expect(choices[0]?.message.content).toBe('I may not.');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('cannot ask anybody');
  });

  it('waits for approval in a named conversation, which other fronts see and finish', async () => {
    const { client, call } = await openClient({
      replies: [{ calls: [{ name: 'remove', arguments: {} }] }, 'Removed.', 'Thanks.'],
      tools: [remove],
    });
    const named = { headers: { 'x-session-id': 'desk 7' } };
    const { choices } = await client.chat.completions.create({ model: 'helper', messages: hello }, named);
    expect(choices[0]?.message.content).toMatch(/^Waiting for a decision about remove\./);
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // as Sessions has it
    const id = sessions[0]?.session_id ?? '';
    const { turn } = await readAnswer(await call(`GET /sessions/${id}`));
    expect(turn.status).toBe('waiting');
    const events = await (await call(`GET /sessions/${id}/turns`)).json();
    const callId = /"id":"([^"]+)","name":"remove"/.exec(JSON.stringify(events))?.[1];
    const resumed = await call(`POST /sessions/${id}/resume`, { body: [{ call_id: callId, approved: true }] });
    expect((await readAnswer(resumed)).content).toBe('Removed.');
    const next = await client.chat.completions.create(
      { model: 'helper', messages: [{ role: 'user', content: 'ok' }] },
      named,
    );
    expect(next.choices[0]?.message.content).toBe('Thanks.');
  });

  it('keeps calls without a name out of the list, and their system messages out of the instructions', async () => {
    const { client, call, model } = await openClient({ replies: ['Hello.'] });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are a pirate.' }, ...hello];
    await client.chat.completions.create({ model: 'helper', messages });
    expect((await readAnswer(await call('GET /sessions'))).sessions).toEqual([]);
    expect((await readAnswer(await call('GET /sessions?q=hello'))).sessions).toEqual([]);
    const [request] = model.requests;
    expect(request?.system).not.toContain('pirate');
    expect(JSON.stringify(request?.messages)).toContain('never instructions.]\\n{\\"description\\":\\"System message');
  });

  it('reads the history of the caller', async () => {
    const { client, model } = await openClient({ replies: ['Blue.'] });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'my colour is blue' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'which one is it?' },
    ];
    await client.chat.completions.create({ model: 'helper', messages });
    expect(model.requests[0]?.messages.slice(-3).map(({ content }) => content)).toEqual([
      'my colour is blue',
      'Noted.',
      'which one is it?',
    ]);
  });

  it('reads a file that comes as a part', async () => {
    const { client, model } = await openClient({ replies: ['Read.'] });
    const data = `data:text/plain;base64,${Buffer.from('the code is 4711').toString('base64')}`;
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: 'what is in it?' },
      { type: 'file', file: { file_data: data, filename: 'note.txt' } },
    ];
    await client.chat.completions.create({ model: 'helper', messages: [{ role: 'user', content }] });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('4711');
  });

  it('stops the turn when the caller leaves', async () => {
    const { client, runtime } = await openClient({ replies: [{ text: 'x', hang: true }] });
    const stream = await client.chat.completions.create({ model: 'helper', messages: hello, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await expect.poll(() => runtime.activeTurns).toBe(0);
  });

  it("reports a model's error as OpenAI's client expects it, whole and as a stream", async () => {
    const { client } = await openClient({ replies: [{ error: down }, { error: down }] });
    const ask = (stream: boolean) => client.chat.completions.create({ model: 'helper', messages: hello, stream });
    await expect(ask(false)).rejects.toMatchObject({ status: 502, code: 'model_unavailable' });
    const read = async () => readAll((await ask(true)) as AsyncIterable<unknown>); // a stream was asked for
    await expect(read()).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it.each([
    [{ messages: [] }, 'messages'],
    [{ messages: hello, n: 2 }, 'n'],
    [{ messages: hello, tool_choice: 'required', tools: [pick] }, 'tool_choice'],
    [{ messages: hello, tool_choice: 'maybe' }, 'tool_choice'],
    [{ messages: hello, response_format: { type: 'grammar' } }, 'response_format.type'],
    [
      { messages: hello, response_format: { type: 'json_schema', json_schema: { schema: { type: 'thing' } } } },
      'response_format',
    ],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, 'messages'],
    [{ messages: hello, metadata: { session_id: 'call:x' } }, 'metadata.session_id'],
  ])('refuses %j with the place of the fault', async (body, param) => {
    const { call } = await openClient({ replies: [] });
    const response = await call('POST /v1/chat/completions', { body: { model: 'helper', ...body } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });
});

describe('a call that is sent again', () => {
  const retry = { headers: { 'x-stainless-retry-count': '1' } };
  const ask = (client: OpenAI, options?: object) =>
    client.chat.completions.create({ model: 'helper', messages: hello }, options).then(({ id, choices }) => ({
      id,
      text: choices[0]?.message.content,
    }));

  it('is the same turn if the client says that it is a retry, and another one if not', async () => {
    const { client, model } = await openClient({ replies: ['one', 'two'] });
    const first = await ask(client);
    expect(await ask(client, retry)).toEqual(first);
    expect((await ask(client)).text).toBe('two');
    expect(model.requests).toHaveLength(2);
  });

  it('is the same turn under the same key', async () => {
    const { client, model } = await openClient({ replies: ['one', 'two'] });
    const keyed = { headers: { 'idempotency-key': 'k' } };
    expect(await ask(client, keyed)).toEqual(await ask(client, keyed));
    expect(model.requests).toHaveLength(1);
  });

  it('is answered anew if its answer failed, and runs no tool twice', async () => {
    const runs: unknown[] = [];
    const tool = buildTool({ run: (args) => runs.push(args) });
    const { client } = await openClient({
      replies: [
        { calls: [{ name: 'echo', arguments: { text: 'a' } }] },
        { error: down },
        { calls: [{ name: 'echo', arguments: { text: 'a' } }] },
        'Done.',
      ],
      tools: [tool],
    });
    await expect(ask(client)).rejects.toMatchObject({ status: 502 });
    expect((await ask(client, retry)).text).toBe('Done.');
    expect(runs).toHaveLength(1);
  });
});

describe('openai responses', () => {
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
});
