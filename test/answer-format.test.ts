import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBuiltinModel } from '../src/builtin/builtin-model.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { createModel } from '../src/models/create-model.ts';
import type { ModelRequest } from '../src/models/model.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { runAgent } from '../src/runtime/run-agent.ts';
import { ModelConfig } from '../src/schema/agent.ts';
import { ALICE, buildAgent } from './build.ts';
import { collectOutcome, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { sendPieces, sendStatus, startModelServer, writeEvents } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS } from './fakes/wire-protocols.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';
import { openServer } from './server/server.ts';

const loose = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const strict = { ...loose, additionalProperties: false };
const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];

/** The body that a provider gets. */
async function bodyOf(config: { provider: string; name: string }, request: Partial<ModelRequest>) {
  const protocol = WIRE_PROTOCOLS.find(({ provider }) => provider === config.provider);
  await using server = await startModelServer([sendPieces([protocol?.reply ?? ''])]);
  const parts = ModelConfig.parse({ endpoint: server.url, api_key: 'k', ...config });
  const model = await createModel(parts, { builtin: async () => createScriptedModel([]), env: {} });
  await collectOutcome(model.stream(makeRequest(request), { signal: NEVER_ABORTED }));
  return server.requests[0]?.body;
}

describe('a format reaches', () => {
  const small = { provider: 'openai_compatible', name: 'small' };

  it('servers of chat completions as a schema, strict where it can be', async () => {
    expect(await bodyOf(small, { responseFormat: loose })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: loose } },
    });
    expect(await bodyOf(small, { responseFormat: strict })).toMatchObject({
      response_format: { json_schema: { schema: strict, strict: true } },
    });
    expect(await bodyOf(small, {})).not.toHaveProperty('response_format');
  });

  it('servers that know no schema as their author says', async () => {
    const inPrompt = { messages: [{ role: 'system', content: expect.stringContaining(JSON.stringify(loose)) }, {}] };
    const object = await bodyOf({ ...small, json_mode: 'object' } as typeof small, { responseFormat: loose });
    expect(object).toMatchObject({ response_format: { type: 'json_object' }, ...inPrompt });
    const prompt = await bodyOf({ ...small, json_mode: 'prompt' } as typeof small, { responseFormat: loose });
    expect(prompt).toMatchObject(inPrompt);
    expect(prompt).not.toHaveProperty('response_format');
  });

  it('openai', async () => {
    const openai = { provider: 'openai', name: 'gpt-5-mini' };
    expect(await bodyOf(openai, { responseFormat: loose, tools })).toMatchObject({
      store: false,
      text: { format: { type: 'json_schema', strict: false, name: 'answer', schema: loose } },
    });
    expect(await bodyOf(openai, { responseFormat: strict })).toMatchObject({ text: { format: { strict: true } } });
  });

  it('anthropic', async () => {
    const body = await bodyOf({ provider: 'anthropic', name: 'claude-sonnet-4-5' }, { responseFormat: strict, tools });
    expect(body).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
  });

  it('google: as a schema, but in the prompt where its models refuse a schema next to tools', async () => {
    const google = { provider: 'google', name: 'gemini-2.5-flash' };
    const asSchema = { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: loose } };
    expect(await bodyOf(google, { responseFormat: loose })).toMatchObject(asSchema);
    expect(await bodyOf({ ...google, name: 'gemini-3-pro' }, { responseFormat: loose, tools })).toMatchObject(asSchema);
    const body = await bodyOf(google, { responseFormat: loose, tools });
    expect(JSON.stringify(body)).not.toContain('responseMimeType');
    expect(body).toMatchObject({ systemInstruction: { parts: [{ text: expect.stringContaining('JSON Schema') }] } });
  });
});

const say = (content: string) =>
  sendPieces([writeEvents({ choices: [{ delta: { content }, finish_reason: 'stop' }] }, '[DONE]')]);

describe('a turn with a format', () => {
  it('is repaired over the wire, from an agent file', async () => {
    await using server = await startModelServer([say('Bonn'), say('{"city":"Bonn"}')]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'city.json'), JSON.stringify(loose));
    writeFileSync(
      join(folder, 'agent.yaml'),
      `name: a\ninstructions: Help.\nmodel: { provider: openai_compatible, name: x, endpoint: '${server.url}' }\nresponse_format: city.json\n`,
    );
    const agent = await loadAgent(folder);
    const turn = runAgent({ agent, user: ALICE, message: 'Where?', folder });
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    expect(next.value).toMatchObject({ status: 'completed', content: '{"city":"Bonn"}' });
    expect(server.requests).toHaveLength(2);
  });

  it('ends when the provider refuses the format: it is never left out', async () => {
    const refusal = '{"error":{"message":"response_format is not supported","param":"response_format"}}';
    await using server = await startModelServer([sendStatus(400, refusal)]);
    const agent = buildAgent({ model: { provider: 'openai_compatible', name: 'x', endpoint: server.url } });
    const turn = runAgent({ agent, user: ALICE, message: 'Hi', responseFormat: loose, folder: temporaryFolder() });
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    expect(next.value.error?.code).toBe('model_refused');
    expect(server.requests).toHaveLength(1);
  });

  it('keeps the format of its request when it is continued after an approval', async () => {
    const { buildTool } = await import('./build.ts');
    const { runtime, model } = await openRuntime({
      replies: [{ calls: [{ name: 'echo', arguments: {} }] }, '{"city":"Bonn"}'],
      tools: [buildTool({ needsApproval: true })],
    });
    const asked = await runtime.chat(ALICE, { agent: 'helper', message: 'Hi', responseFormat: loose });
    const events = await collect(asked);
    const wait = events.findLast((event) => event.type === 'turn-wait');
    const answers = (wait?.type === 'turn-wait' ? wait.calls : []).map((call_id) => ({ call_id, approved: true }));
    const { conversationId } = asked;
    const answered = await collect(await runtime.answer(ALICE, { conversationId, answers }));
    expect(answered.at(-1)).toMatchObject({ result: { content: '{"city":"Bonn"}' } });
    expect(model.requests.map(({ responseFormat }) => responseFormat)).toEqual([loose, loose]);
  });

  it('needs a schema that can be used', async () => {
    const { runtime } = await openRuntime({ replies: [] });
    const chat = runtime.chat(ALICE, { agent: 'helper', message: 'Hi', responseFormat: { $ref: 'http://x/y' } });
    await expect(chat).rejects.toMatchObject({ code: 'invalid_request', problems: [{ path: 'response_format' }] });
  });

  it('is not for a summary of the conversation', async () => {
    const agent = { response_format: loose, model: { provider: 'ollama', name: 'x' } };
    const { runtime } = await openRuntime({ replies: ['{"city":"Bonn"}', 'So far.'], agent });
    const first = await runtime.chat(ALICE, { agent: 'helper', message: 'Hi' });
    await collect(first);
    const { conversationId } = first;
    const events = await collect(await runtime.compact(ALICE, { agent: 'helper', conversationId }));
    expect(events.at(-1)).toMatchObject({ result: { status: 'completed', content: 'So far.' } });
  });
});

describe('REST', () => {
  const answer = { status: 'completed', content: '{"city":"Bonn"}' };

  it('takes the format in JSON and in a form', async () => {
    const { call, url } = await openServer({ replies: ['words', answer.content, answer.content, answer.content] });
    const body = { message: 'Where?', response_format: loose };
    const whole = await call('POST /agent/helper/chat', { body });
    expect(await whole.json()).toMatchObject(answer);
    const single = await call('POST /agent/helper/run', { body });
    expect(await single.json()).toMatchObject(answer);
    const form = new FormData();
    form.set('message', 'Where?');
    form.set('response_format', JSON.stringify(loose));
    const headers = { authorization: 'Bearer alice' };
    const sent = await fetch(`${url}/agent/helper/chat`, { method: 'POST', body: form, headers });
    expect(await sent.json()).toMatchObject(answer);
  });
});

describe('the built-in model', () => {
  it('says plainly that it has no formats, in the file and in a turn', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'agent.yaml'), 'name: a\ninstructions: Help.\nresponse_format: { type: object }\n');
    await expect(loadAgent(folder)).rejects.toThrow(
      /response_format: the built-in model answers in sentences, never in a format; set model.provider/,
    );
    const model = createBuiltinModel({ agent: { intents: {} } });
    const { error } = await collectOutcome(
      model.stream(makeRequest({ responseFormat: loose }), { signal: NEVER_ABORTED }),
    );
    expect(error).toMatchObject({ code: 'format_unsupported', message: expect.stringMatching(/answers in sentences/) });
  });
});
