import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openServer, readFrames, type ServerScene } from './server.ts';

// The shapes and the cases of Open Responses (openresponses.org/compliance), written from its specification.
const whole = z.number().int();
const Text = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()),
  logprobs: z.array(z.unknown()),
});
const ItemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const OutputMessage = z.object({
  type: z.literal('message'),
  id: z.string(),
  role: z.literal('assistant'),
  status: ItemStatus,
  content: z.array(Text),
});
const FunctionCall = z.object({
  type: z.literal('function_call'),
  id: z.string(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: ItemStatus,
});
const Item = z.discriminatedUnion('type', [OutputMessage, FunctionCall]);
const FunctionTool = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});
const Usage = z.object({
  input_tokens: whole,
  output_tokens: whole,
  total_tokens: whole,
  input_tokens_details: z.object({ cached_tokens: whole }),
  output_tokens_details: z.object({ reasoning_tokens: whole }),
});
const ResponseResource = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: whole,
  completed_at: whole.nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(Item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(FunctionTool),
  tool_choice: z.union([
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), name: z.string() }),
  ]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: whole,
  temperature: z.number(),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  user: z.string().nullable(),
  usage: Usage.nullable(),
  max_output_tokens: whole.nullable(),
  max_tool_calls: whole.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

const at = { item_id: z.string(), output_index: whole };
const inText = { ...at, content_index: whole };
const eventOf = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.object({ type: z.literal(name), sequence_number: whole, ...shape });
const StreamEvent = z.discriminatedUnion('type', [
  eventOf('response.created', { response: ResponseResource }),
  eventOf('response.in_progress', { response: ResponseResource }),
  eventOf('response.completed', { response: ResponseResource }),
  eventOf('response.failed', { response: ResponseResource }),
  eventOf('response.output_item.added', { output_index: whole, item: Item }),
  eventOf('response.output_item.done', { output_index: whole, item: Item }),
  eventOf('response.content_part.added', { ...inText, part: Text }),
  eventOf('response.content_part.done', { ...inText, part: Text }),
  eventOf('response.output_text.delta', { ...inText, delta: z.string(), logprobs: z.array(z.unknown()) }),
  eventOf('response.output_text.done', { ...inText, text: z.string(), logprobs: z.array(z.unknown()) }),
  eventOf('response.function_call_arguments.delta', { ...at, delta: z.string() }),
  eventOf('response.function_call_arguments.done', { ...at, arguments: z.string() }),
]);

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Get the current weather for a location',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};
const callWeather = { calls: [{ name: 'get_weather', arguments: { location: 'San Francisco, CA' } }] };
const say = (content: unknown, role = 'user') => ({ type: 'message', role, content });

async function ask(replies: ServerScene['replies'], body: Record<string, unknown>) {
  const server = await openServer({ replies });
  const sent = { body: { model: 'helper', ...body } };
  const answer = await server.call('POST /v1/responses', sent);
  expect(answer.status).toBe(200);
  return { ...server, answer };
}

async function askWhole(replies: ServerScene['replies'], body: Record<string, unknown>) {
  const { answer, ...server } = await ask(replies, body);
  return { ...server, response: ResponseResource.parse(await answer.json()) };
}

async function askStream(replies: ServerScene['replies'], body: Record<string, unknown>) {
  const { answer } = await ask(replies, { ...body, stream: true });
  const frames = (await readFrames(answer)).map(({ data }) => StreamEvent.parse(data));
  expect(frames.map(({ sequence_number }) => sequence_number)).toEqual(frames.map((_, index) => index));
  const last = frames.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`The stream ended with ${last?.type}.`);
  return { types: frames.map(({ type }) => type), response: last.response };
}

describe('Open Responses', () => {
  it('basic text response', async () => {
    const { response } = await askWhole(['Hello, how are you?'], { input: [say('Say hello in exactly 3 words.')] });
    expect(response).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Hello, how are you?' }] }] });
    expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
  });

  it('streaming response', async () => {
    const { types, response } = await askStream([{ text: ['1, 2, 3, ', '4, 5'] }], { input: [say('Count to 5.')] });
    expect(response).toMatchObject({ status: 'completed', output: [{ content: [{ text: '1, 2, 3, 4, 5' }] }] });
    // Several deltas may arrive as one.
    expect([...new Set(types)]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('system prompt', async () => {
    const input = [say('You are a pirate.', 'system'), say('Say hello.')];
    const { response, model } = await askWhole(['Ahoy!'], { input });
    expect(response).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Ahoy!' }] }] });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('You are a pirate.');
  });

  it('tool calling, whole and streamed', async () => {
    const body = { input: [say("What's the weather like in San Francisco?")], tools: [weather] };
    const call = { type: 'function_call', name: 'get_weather', arguments: '{"location":"San Francisco, CA"}' };
    const { response } = await askWhole([callWeather], body);
    expect(response).toMatchObject({ output: [call], tools: [{ ...weather, strict: null }] });
    const streamed = await askStream([callWeather], body);
    expect(streamed.response.output).toMatchObject([call]);
    expect(streamed.types).toEqual(
      expect.arrayContaining([
        'response.output_item.added',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done',
      ]),
    );
  });

  it('image input', async () => {
    const picture = readFileSync(join(import.meta.dirname, '../fixtures/files/note.jpg'));
    const image_url = `data:image/jpeg;base64,${picture.toString('base64')}`;
    const content = [
      { type: 'input_text', text: 'What do you see?' },
      { type: 'input_image', image_url },
    ];
    const { response, model } = await askWhole(['A note.'], { input: [say(content)] });
    expect(response).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'A note.' }] }] });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Twelve boxes left at the gate.');
  });

  it('multi-turn conversation', async () => {
    const input = [say('My name is Alice.'), say('Hello Alice!', 'assistant'), say('What is my name?')];
    const { response, model } = await askWhole(['Alice.'], { input });
    expect(response).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Alice.' }] }] });
    const texts = model.requests[0]?.messages.map((message) => message.content);
    expect(texts).toEqual(['My name is Alice.', 'Hello Alice!', 'What is my name?']);
  });

  it('repeats the fields of its request, and is the same when it is read again', async () => {
    const metadata = { order: '7' };
    const asked = { input: 'hello', instructions: 'Be brief.', metadata, tool_choice: 'none', tools: [weather] };
    const { response, call } = await askWhole(['Hi.'], asked);
    expect(response).toMatchObject({ instructions: 'Be brief.', metadata, tool_choice: 'none', background: false });
    const read = ResponseResource.parse(await (await call(`GET /v1/responses/${response.id}`)).json());
    const { output, status, usage } = response;
    expect(read).toMatchObject({ output, status, usage });
    expect(read.completed_at).toBeGreaterThanOrEqual(read.created_at);
  });
});
