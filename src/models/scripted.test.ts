import { describe, expect, it } from 'vitest';
import {
  collectChunks,
  collectOutcome,
  makeMessage,
  makeRequest,
  NEVER_ABORTED,
} from '../../test/fakes/model-request.ts';
import { createFakeClock } from '../clock.ts';
import { createScriptedModel } from './scripted.ts';

const options = { signal: NEVER_ABORTED };

describe('createScriptedModel', () => {
  it('plays its replies in order and keeps the requests', async () => {
    const model = createScriptedModel(['Hi', { text: ['a', 'b'], calls: [{ name: 'add', arguments: { x: 1 } }] }]);
    const first = makeRequest();
    const second = makeRequest({ system: 'Again.' });
    expect(await collectChunks(model.stream(first, options))).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(await collectChunks(model.stream(second, options))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'tool-call', id: 'call-2-1', name: 'add', arguments: '{"x":1}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(model.requests).toEqual([first, second]);
  });

  it('lets a function answer from the request', async () => {
    const model = createScriptedModel((request) => `you said ${request.messages.at(-1)?.content}`);
    const request = makeRequest({ messages: [makeMessage({ role: 'user', content: 'ping' })] });
    expect(await collectChunks(model.stream(request, options))).toEqual([
      { type: 'text', text: 'you said ping' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('throws its error after the text before it', async () => {
    const error = new Error('down');
    const model = createScriptedModel([{ text: 'so far', error }]);
    expect(await collectOutcome(model.stream(makeRequest(), options))).toEqual({
      chunks: [{ type: 'text', text: 'so far' }],
      error,
    });
  });

  it('says so when the script has ended', async () => {
    const { error } = await collectOutcome(createScriptedModel([]).stream(makeRequest(), options));
    expect(error).toEqual(new Error('The script holds no reply for request 1'));
  });

  it('hangs until the signal aborts, with its reason', async () => {
    const controller = new AbortController();
    const stream = createScriptedModel([{ hang: true }]).stream(makeRequest(), { signal: controller.signal });
    const outcome = collectOutcome(stream);
    controller.abort('stopped');
    expect(await outcome).toEqual({ chunks: [], error: 'stopped' });
  });

  it('waits on its clock', async () => {
    const clock = createFakeClock();
    let chunks: unknown;
    const stream = createScriptedModel([{ text: 'late', delayMs: 1000 }], { clock }).stream(makeRequest(), options);
    const done = collectChunks(stream).then((all) => {
      chunks = all;
    });
    await clock.advance(999);
    expect(chunks).toBeUndefined();
    await clock.advance(1);
    await done;
    expect(chunks).toEqual([
      { type: 'text', text: 'late' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});
