import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModel } from '../src/models/create-model.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { fileFromBytes } from '../src/runtime/files/attached-file.ts';
import { runAgent } from '../src/runtime/run-agent.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { ModelConfig } from '../src/schema/agent.ts';
import { ALICE, buildAgent } from './build.ts';
import { collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { sendPieces, sendStatus, startModelServer, writeEvents } from './fakes/model-server.ts';
import { WIRE_PROTOCOLS } from './fakes/wire-protocols.ts';
import { fixture } from './files/read-fixture.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

const jpeg = fixture('note.jpg');
const base64 = Buffer.from(jpeg).toString('base64');
const message = makeMessage({ role: 'user', content: 'What is this?' });
const request = makeRequest({
  messages: [message],
  pictures: new Map([[message.id, [{ mediaType: 'image/jpeg', data: jpeg }]]]),
});

async function bodyOf(config: { provider: string; name: string }) {
  const protocol = WIRE_PROTOCOLS.find(({ provider }) => provider === config.provider);
  await using server = await startModelServer([sendPieces([protocol?.reply ?? ''])]);
  const parts = ModelConfig.parse({ endpoint: server.url, api_key: 'k', ...config });
  const model = await createModel(parts, { builtin: async () => createScriptedModel([]), env: {} });
  const { error } = await collectOutcome(model.stream(request, { signal: NEVER_ABORTED }));
  expect(error).toBeUndefined();
  return server.requests[0]?.body;
}

describe('a picture reaches', () => {
  const text = 'What is this?';
  const url = `data:image/jpeg;base64,${base64}`;

  it.each([
    [
      { provider: 'openai_compatible', name: 'gemini-2.5-flash' },
      {
        messages: [
          {},
          {
            content: [
              { type: 'text', text },
              { type: 'image_url', image_url: { url } },
            ],
          },
        ],
      },
    ],
    [
      { provider: 'openai', name: 'gpt-5-mini' },
      {
        input: [
          {},
          {
            content: [
              { type: 'input_text', text },
              { type: 'input_image', image_url: url },
            ],
          },
        ],
      },
    ],
    [
      { provider: 'anthropic', name: 'claude-sonnet-4-5' },
      {
        messages: [
          {
            content: [{ text }, { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: base64 } }],
          },
        ],
      },
    ],
    [
      { provider: 'google', name: 'gemini-2.5-flash' },
      { contents: [{ parts: [{ text }, { inlineData: { mimeType: 'image/jpeg', data: base64 } }] }] },
    ],
  ])('%o', async (config, body) => {
    expect(await bodyOf(config)).toMatchObject(body);
  });

  it('no model without vision', async () => {
    const body = await bodyOf({ provider: 'openai_compatible', name: 'deepseek-chat' });
    expect(body).toMatchObject({ messages: [{}, { role: 'user', content: text }] });
  });
});

const seeing = { model: { vision: true } };
const files = () => [fileFromBytes('note.jpg', 'image/jpeg', jpeg)];

describe('a turn with a picture', () => {
  it('shows it to a model with vision in this turn; later turns have the text that was read from it', async () => {
    const { runtime, model, folder } = await openRuntime({ replies: ['A note.', 'It is a note.'], agent: seeing });
    const first = await runtime.chat(ALICE, { agent: 'helper', message: 'What is this?', files: files() });
    const events = await collect(first);
    expect(events.find((event) => event.type === 'file')).toMatchObject({
      file: { verdict: 'read', detail: expect.stringMatching(/pixels.*; sent to the model as a picture$/) },
    });
    const [question] = model.requests[0]?.messages ?? [];
    expect(model.requests[0]?.pictures?.get(question?.id ?? '')).toEqual([
      { mediaType: 'image/jpeg', data: Buffer.from(jpeg) },
    ]);
    const next = { agent: 'helper', message: 'And?', conversationId: first.conversationId };
    await collect(await runtime.chat(ALICE, next));
    expect(model.requests[1]?.pictures).toBeUndefined();
    expect(model.requests[1]?.messages[0]?.content).toContain('[Attached file 1, note.jpg');
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = names.map(({ name }) => readFileSync(join(folder, name)).toString('latin1')).join();
    const bytes = Buffer.from(jpeg).toString('latin1', 200, 260);
    expect([base64.slice(300, 360), bytes].filter((part) => stored.includes(part))).toEqual([]);
    expect(JSON.stringify(events)).not.toContain(base64.slice(0, 60));
  });

  it('gives the text alone to a model without vision', async () => {
    const { runtime, model } = await openRuntime({ replies: ['A note.'] });
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'What?', files: files() }));
    expect(JSON.stringify(events)).not.toContain('as a picture');
    expect(model.requests[0]?.pictures).toBeUndefined();
    expect(model.requests[0]?.messages[0]?.content).toContain('[Attached file 1, note.jpg');
  });

  it.each([
    ['larger than a provider takes', Buffer.concat([jpeg, Buffer.alloc(3_750_000)]), 'larger than 3.75 MB'],
    ['wider than a provider takes', widened(jpeg), 'a side is longer than 8000 pixels'],
  ])('uses the text of a picture that is %s, and says why', async (_, bytes, reason) => {
    const agent = buildAgent(seeing);
    const model = createScriptedModel(['Fine.']);
    const reader = { read: async () => ({ verdict: 'read' as const, detail: 'text', text: 'Hi' }), close: () => {} };
    const folder = temporaryFolder();
    const tap = { reader: () => reader } as never;
    const runtime = await createRuntime({ agents: [agent], folder, model, tap: { ...tapOf(), ...(tap as object) } });
    const sent = [fileFromBytes('big.jpg', 'image/jpeg', bytes)];
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'What?', files: sent }));
    await runtime.stop();
    expect(events.find((event) => event.type === 'file')).toMatchObject({
      file: { verdict: 'read', detail: expect.stringContaining(reason) },
    });
    expect(model.requests[0]?.pictures).toBeUndefined();
  });

  it('goes on with a fallback that reads only the text', async () => {
    const say = sendPieces([writeEvents({ choices: [{ delta: { content: 'Ok' }, finish_reason: 'stop' }] }, '[DONE]')]);
    await using server = await startModelServer([sendStatus(403), say]);
    const shared = { provider: 'openai_compatible', endpoint: server.url };
    const fallback = { ...shared, name: 'blind' };
    const agent = buildAgent({ model: { ...shared, name: 'x', vision: true, fallback } });
    const turn = runAgent({ agent, user: ALICE, message: 'What?', files: files(), folder: temporaryFolder() });
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    expect(next.value.content).toBe('Ok');
    const [seen, read] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(seen).toContain(base64);
    expect(read).not.toContain(base64);
    expect(read).toContain('[Attached file 1, note.jpg');
  });
});

/** A tap that changes nothing. */
function tapOf() {
  const same = <T>(value: T) => value;
  const ids = { ulid: () => '', uuid: () => '' };
  return { post: same, model: same, source: same, reader: same, modelIds: ids, ids };
}

/** The same picture with 9,000 pixels in its header. */
function widened(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 2; at < copy.length; at += 2 + copy.readUInt16BE(at + 2)) {
    const marker = copy[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xc2) continue;
    copy.writeUInt16BE(9_000, at + 7);
    return copy;
  }
  throw new Error('no frame header');
}
