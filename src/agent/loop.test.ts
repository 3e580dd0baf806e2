import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { systemIds } from '../ids.ts';
import type { ModelRequest } from '../models/model.ts';
import { createRetryingModel } from '../models/retry.ts';
import { createScriptedModel, type ScriptedModel, type ScriptedReply } from '../models/scripted.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import { TurnResult } from '../schema/conversation/turn.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { offerTools } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';
import { createValidator } from '../tools/validate.ts';
import type { Journal } from './journal.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { runStateless } from './run-stateless.ts';
import { createZones } from './time-zone.ts';
import { foldEvents } from './turn-state.ts';

interface Scene {
  replies: ScriptedReply[];
  tools?: Tool[];
  agent?: Record<string, unknown>;
  history?: Message[];
  signal?: AbortSignal;
  clock?: FakeClock;
}

interface Played {
  events: Event[];
  result: TurnResult;
  model: ScriptedModel;
}

/** Plays one turn to its end and checks its result against the schema. */
async function play({ replies, tools = [buildTool()], clock = createFakeClock(), ...scene }: Scene): Promise<Played> {
  const model = createScriptedModel(replies, { clock });
  const turn = runStateless({
    agent: buildAgent(scene.agent),
    user: ALICE,
    message: 'hello',
    model,
    tools: offerTools(tools).offered,
    clock,
    ...(scene.history && { history: scene.history }),
    ...(scene.signal && { signal: scene.signal }),
  });
  const events: Event[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { events, result: TurnResult.parse(next.value), model };
    events.push(next.value);
  }
}

const call = (name: string, args = {}) => ({ calls: [{ name, arguments: args }] });
const kinds = (events: Event[]) => events.map((event) => event.type);

describe('runTurn', () => {
  it('emits a plain answer as it arrives and ends with the result', async () => {
    const { events, result } = await play({ replies: [{ text: ['Hel', 'lo.'] }] });
    expect(kinds(events)).toEqual(['turn-start', 'step-start', 'text-delta', 'text-delta', 'step-end', 'turn-end']);
    expect(result).toMatchObject({ status: 'completed', finish_reason: 'completed', content: 'Hello.', iterations: 1 });
    expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', result });
  });

  it('runs the calls of one reply and hands the results back in call order', async () => {
    const clock = createFakeClock();
    const slow = buildTool({
      name: 'slow',
      run: () => new Promise((resolve) => clock.after(20, () => resolve('late'))),
    });
    const replies = [{ calls: [{ name: 'slow' }, { name: 'echo', arguments: { text: 'soon' } }] }, 'Done.'];
    const playing = play({ replies, tools: [slow, buildTool()], clock });
    for (let step = 0; step < 10; step++) await clock.advance(10);
    const { events, result, model } = await playing;
    const ended = events.flatMap((event) => (event.type === 'tool-call-end' ? [event.call.name] : []));
    expect(ended).toEqual(['echo', 'slow']);
    expect(result.tool_calls.map((made) => [made.name, made.state])).toEqual([
      ['slow', 'completed'],
      ['echo', 'completed'],
    ]);
    expect(model.requests[1]?.messages.map((message) => message.content)).toEqual([
      'hello',
      '',
      'late',
      '{"text":"soon"}',
    ]);
  });

  it('does not start a tool before its start is written, nor ask the model again before the outcome is written', async () => {
    const order: string[] = [];
    const tool = buildTool({ run: () => String(order.push('tool starts')) });
    const turnId = newUlid();
    const clock = createFakeClock();
    const numbers = createMemoryJournal({ turnId, clock });
    const journal: Journal = {
      note: numbers.note,
      async commit(...bodies) {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`written: ${bodies.map((body) => body.type).join(', ')}`);
        return numbers.commit(...bodies);
      },
    };
    const message = {
      id: newUlid(),
      role: 'user' as const,
      content: 'go',
      timestamp: '2026-01-01T00:00:00.000Z',
      metadata: {},
    };
    const state = foldEvents([
      { type: 'turn-start', turn_id: turnId, conversation_id: newUlid(), agent: 'helper', message },
    ]);
    const turn = runTurn(state, {
      agent: buildAgent(),
      user: ALICE,
      model: createScriptedModel((request) => {
        const hasOutcome = request.messages.some(({ role }) => role === 'tool');
        if (hasOutcome) order.push('model reads it');
        return hasOutcome ? 'Done.' : call('echo');
      }),
      tools: offerTools([tool]).offered,
      history: [],
      journal,
      validator: async () => createValidator(),
      clock,
      ids: systemIds,
      zone: createZones()('UTC'),
      signal: new AbortController().signal,
    });
    for await (const _event of turn);
    expect(order).toEqual([
      'written: step-end, tool-call-start, tool-call-run',
      'tool starts',
      'written: tool-call-end',
      'model reads it',
      'written: step-end, turn-end',
    ]);
  });

  it.each(['text-delta', 'step-start'])('leaves no timer behind when it is left at %s', async (where) => {
    const clock = createFakeClock();
    const scripted = createScriptedModel([{ text: ['one', 'two'], hang: true }], { clock });
    const model = createRetryingModel(scripted, { timeoutMs: 60_000, clock });
    const stopper = new AbortController();
    const scene = { agent: buildAgent(), user: ALICE, message: 'hello', model, tools: new Map(), clock };
    for await (const event of runStateless({ ...scene, signal: stopper.signal })) {
      if (event.type === where) stopper.abort(new Error('enough'));
    }
    await expect.poll(() => clock.waiting).toBe(0);
    for await (const event of runStateless(scene)) if (event.type === where) break;
    await expect.poll(() => clock.waiting).toBe(0);
  });

  it('emits the start of a call when its tool has begun, and its end afterwards', async () => {
    const order: string[] = [];
    const tool = buildTool({
      run: (_args, { progress }) => {
        order.push('tool');
        progress('half');
        return null;
      },
    });
    const clock = createFakeClock();
    const model = createScriptedModel([call('echo'), 'Done.'], { clock });
    const turn = runStateless({
      agent: buildAgent(),
      user: ALICE,
      message: 'hello',
      model,
      tools: offerTools([tool]).offered,
      clock,
    });
    for await (const event of turn) order.push(event.type);
    expect(order.filter((what) => what.startsWith('tool'))).toEqual([
      'tool',
      'tool-call-start',
      'tool-call-run',
      'tool-call-progress',
      'tool-call-end',
    ]);
  });

  it.each([
    ['an unknown tool', call('nope'), 'failed', /nope/],
    ['invalid arguments', call('echo', { text: 7 }), 'failed', /text/],
    ['arguments that are no JSON', { calls: [{ name: 'echo', arguments: '{"text":' }] }, 'failed', /JSON/],
  ])('lets the model read %s as a result', async (_name, reply, state, message) => {
    const { result, model } = await play({ replies: [reply, 'Sorry.'] });
    expect(result).toMatchObject({ status: 'completed', content: 'Sorry.', partial_results: true });
    expect(result.tool_calls[0]).toMatchObject({ state, error: { message: expect.stringMatching(message) } });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(message);
  });

  it.each<[string, string[][], string[]]>([
    ['none when a later reply made it good', [['bad'], ['good']], []],
    ['one that another call of the same reply could not make good', [['bad', 'good']], ['bad']],
    ['the same in any order', [['good', 'bad', 'good']], ['bad']],
    ['as many as were not made good', [['bad', 'bad'], ['good']], ['bad']],
    ['what failed last', [['good'], ['bad']], ['bad']],
  ])('tells of failed calls %s', async (_, replies, told) => {
    const tool = buildTool({
      run({ text }) {
        if (text === 'bad') throw new AppError('tool_unavailable', { detail: 'bad' });
        return null;
      },
    });
    const calls = replies.map((texts) => ({ calls: texts.map((text) => ({ name: 'echo', arguments: { text } })) }));
    const { result } = await play({ replies: [...calls, 'Done.'], tools: [tool] });
    expect(result.partial_results).toBe(told.length > 0);
    expect((result.error_details ?? []).map(({ reason }) => reason)).toEqual(told);
  });

  it('sums up without tools at max_iterations', async () => {
    const replies = [call('echo'), call('echo'), 'So far so good.'];
    const { result, model } = await play({ replies, agent: { loop: { max_iterations: 2 } } });
    expect(result).toMatchObject({
      status: 'max_iterations_reached',
      finish_reason: 'max_iterations',
      content: 'So far so good.',
      iterations: 2,
    });
    expect(result.warning).toContain('2 steps');
    expect(model.requests[2]?.tools).toEqual([]);
  });

  it('still answers when the summary fails', async () => {
    const replies = [call('echo'), { error: new AppError('model_unavailable', { detail: 'gone' }) }];
    const { result } = await play({ replies, agent: { loop: { max_iterations: 1 } } });
    expect(result).toMatchObject({ status: 'max_iterations_reached' });
    expect(result.content).not.toBe('');
  });

  it('ends a model failure as a friendly error and keeps the text so far', async () => {
    const error = new AppError('model_bad_reply', { detail: 'The model stopped in the middle.' });
    const { result } = await play({ replies: [{ text: 'I was', error }] });
    expect(result).toMatchObject({
      status: 'error',
      content: 'I was',
      error: { code: 'model_bad_reply', error_type: 'ModelError', message: 'The model stopped in the middle.' },
    });
    expect(result.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: 'I was',
      metadata: { incomplete: true },
    });
  });

  it('hides the text of an unexpected error', async () => {
    const { result } = await play({ replies: [{ error: new TypeError('x is undefined at /secret/path') }] });
    expect(result.error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('treats an empty reply as an error', async () => {
    const { result } = await play({ replies: [{ text: '' }] });
    expect(result.error).toMatchObject({ code: 'model_bad_reply' });
  });

  it.each([
    ['length', 'length'],
    ['content-filter', 'content_filter'],
  ] as const)('maps the finish %s', async (finish, expected) => {
    const { result } = await play({ replies: [{ text: 'Half', finish }] });
    expect(result).toMatchObject({ status: 'completed', finish_reason: expected, content: 'Half' });
    expect(result.warning).toBeDefined();
  });

  it('cancels in the middle of the text and keeps it', async () => {
    const stopper = new AbortController();
    const model = createScriptedModel([{ text: ['One', ' two'], hang: true }]);
    const turn = runStateless({
      agent: buildAgent(),
      user: ALICE,
      message: 'hello',
      model,
      tools: new Map(),
      signal: stopper.signal,
    });
    let next = await turn.next();
    for (; !next.done; next = await turn.next()) {
      if (next.value.type === 'text-delta' && next.value.text === ' two') stopper.abort();
    }
    expect(next.value).toMatchObject({ status: 'cancelled', finish_reason: 'cancelled', content: 'One two' });
  });

  it('cancels a running tool as unknown and a pending one as failed', async () => {
    const stopper = new AbortController();
    const hang = buildTool({
      name: 'hang',
      run: () => {
        stopper.abort();
        return new Promise(() => {});
      },
    });
    const replies = [{ calls: [{ name: 'hang' }, { name: 'echo' }] }];
    const agent = { loop: { parallel_tool_calls: 1 } };
    const { result } = await play({ replies, tools: [hang, buildTool()], agent, signal: stopper.signal });
    expect(result.status).toBe('cancelled');
    expect(result.tool_calls.map((made) => made.state)).toEqual(['unknown', 'failed']);
  });

  it('adds up tokens over the turn, and leaves them out when the model reports none', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const { result } = await play({
      replies: [
        { ...call('echo'), usage },
        { text: 'Done.', usage },
      ],
    });
    expect(result.tokens_used).toEqual({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 });
    const silent = await play({ replies: ['Hi.'] });
    expect(silent.result).not.toHaveProperty('tokens_used');
  });

  it('trims the history once when the provider says that it is too long', async () => {
    const error = new AppError('context_too_long', { detail: 'too long' });
    const history: Message[] = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => ({
      id: `0${index}`,
      role: index % 2 === 1 ? 'user' : 'assistant',
      content: `m${index} `.repeat(100),
      timestamp: '2026-01-01T00:00:00.000Z',
      metadata: {},
    }));
    const { result, model } = await play({ replies: [{ error }, 'Fits.'], history });
    expect(result).toMatchObject({ status: 'completed', content: 'Fits.' });
    expect(model.requests.map((request) => request.messages.length)).toEqual([9, 3]);
    const again = await play({ replies: [{ error }, { error }, 'Fits.'], history });
    expect(again.result).toMatchObject({ status: 'error', error: { code: 'context_too_long' } });
    expect(again.model.requests).toHaveLength(2);
  });

  it('uses ids of its own, because some models count from zero in every reply', async () => {
    const same = { calls: [{ name: 'echo', id: 'call_0' }] };
    const { result } = await play({ replies: [same, same, 'Done.'] });
    expect(new Set(result.tool_calls.map((made) => made.id)).size).toBe(2);
  });

  it('derives the intent from the tool that was called', async () => {
    const agent = { intents: { shout: { tool: 'echo' } } };
    const { result } = await play({ replies: [call('echo', { text: 'a' }), 'Done.'], agent });
    expect(result.intent).toEqual({ name: 'shout', parameters: { text: 'a' } });
  });
});

describe('long outputs', () => {
  const long = buildTool({ name: 'long', run: () => 'abcdefghij'.repeat(100) });
  const agent = { limits: { tool_output_chars: 400 } };

  it('are cut for the model, which can read on to the end', async () => {
    const pieces: string[] = [];
    const readOn = (request: ModelRequest): ScriptedReply => {
      const last = request.messages.at(-1)?.content ?? '';
      const note = /offset (\d+)\]$/.exec(last);
      if (note) pieces.push(last.slice(0, Number(note[1])));
      const page = note ? undefined : JSON.parse(last);
      if (page) pieces.push(page.text);
      const offset = note ? Number(note[1]) : page.next_offset;
      if (offset >= 1000) return 'Read.';
      const callId = request.messages.find((message) => message.role === 'tool')?.tool_call_id;
      return call('read_output', { call_id: callId, offset });
    };
    const replies = [call('long'), ...Array.from({ length: 10 }, () => readOn)];
    const { result } = await play({ replies, tools: [long], agent });
    expect(result.content).toBe('Read.');
    expect(pieces.join('')).toBe('abcdefghij'.repeat(100));
  });

  it('offer the reader only where something was cut', async () => {
    const { model } = await play({ replies: [call('long'), 'Fine.'], tools: [long] });
    expect(model.requests.map((request) => request.tools.map((tool) => tool.name))).toEqual([['long'], ['long']]);
  });
});

describe('parallel calls', () => {
  it('overlap: five calls of one reply run at the same time', async () => {
    const clock = createFakeClock();
    const slow = buildTool({ run: () => new Promise((resolve) => clock.after(100, () => resolve('late'))) });
    const replies = [{ calls: Array.from({ length: 5 }, () => ({ name: 'echo' })) }, 'Done.'];
    const playing = play({ replies, tools: [slow], clock });
    for (let step = 0; step < 20; step++) await clock.advance(10);
    const { result } = await playing;
    const spans = result.tool_calls.map((made) => [
      Date.parse(made.started_at ?? ''),
      Date.parse(made.completed_at ?? ''),
    ]);
    const lastStart = Math.max(...spans.map(([start = 0]) => start));
    const firstEnd = Math.min(...spans.map(([, end = 0]) => end));
    expect(result.tool_calls).toHaveLength(5);
    expect(lastStart).toBeLessThan(firstEnd);
  });
});

describe('deadlines', () => {
  /** Advances the fake clock in steps until the turn is over; returns the seconds it took. */
  async function secondsOf(playing: Promise<Played>, clock: FakeClock): Promise<{ seconds: number; played: Played }> {
    let played: Played | undefined;
    playing.then((value) => {
      played = value;
    });
    for (let seconds = 0; seconds <= 120; seconds += 0.5) {
      if (played) return { seconds, played };
      await clock.advance(500);
    }
    throw new Error('the turn did not end');
  }

  it('answers three tools of 49 s in a row within 60 s, with what is there', async () => {
    const clock = createFakeClock();
    const tool = buildTool({ run: () => new Promise((resolve) => clock.after(49_000, () => resolve('rows'))) });
    const replies = [call('echo'), call('echo'), 'This is what I have.'];
    const { seconds, played } = await secondsOf(play({ replies, tools: [tool], clock }), clock);
    expect(seconds).toBeLessThan(60);
    expect(played.result).toMatchObject({
      status: 'completed',
      finish_reason: 'deadline',
      partial_results: true,
      content: 'This is what I have.',
    });
    expect(played.result.tool_calls.map((made) => made.state)).toEqual(['completed', 'timeout']);
  });

  it('answers within 60 s when the model hangs after a tool', async () => {
    const clock = createFakeClock();
    const tool = buildTool({ run: () => new Promise((resolve) => clock.after(49_000, () => resolve('rows'))) });
    const { seconds, played } = await secondsOf(
      play({ replies: [call('echo'), { hang: true }], tools: [tool], clock }),
      clock,
    );
    expect(seconds).toBeLessThan(60);
    expect(played.result).toMatchObject({ status: 'completed', finish_reason: 'deadline' });
  });

  it('gives one model reply 30 s, even if the model does not heed its signal', async () => {
    const clock = createFakeClock();
    const deaf = {
      label: 'deaf',
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
    };
    const turn = runStateless({
      agent: buildAgent(),
      user: ALICE,
      message: 'hello',
      model: deaf,
      tools: new Map(),
      clock,
    });
    const drained = (async () => {
      let next = await turn.next();
      while (!next.done) next = await turn.next();
      return { events: [], result: next.value, model: createScriptedModel([]) };
    })();
    const { seconds, played } = await secondsOf(drained, clock);
    expect(seconds).toBeLessThan(31);
    expect(played.result).toMatchObject({ status: 'error', error: { code: 'model_timeout', error_type: 'Timeout' } });
  });
});

describe('a conversation that nearly fills what the model is sent', () => {
  const told = (text: string): Message[] =>
    (['user', 'assistant'] as const).map((role) => ({
      ...{ id: newUlid(), role, content: text, timestamp: '2030-01-01T00:00:00.000Z', metadata: {} },
    }));

  it.each([
    ['messages', { history_messages: 4 }, told('hi')],
    ['tokens', { history_messages: 50, context_tokens: 1_000 }, told('word '.repeat(400))],
  ])('warns when only the %s are many', async (_, limits, history) => {
    const { result } = await play({ replies: ['Hi.'], agent: { limits }, history });
    expect(result.warning).toContain('nearly fills');
  });

  it('does not warn before', async () => {
    const { result } = await play({ replies: ['Hi.'], history: told('hi') });
    expect(result).not.toHaveProperty('warning');
  });
});

it('a model that ends without text after its calls leaves an answer with text', async () => {
  const { result, events } = await play({ replies: [call('echo', { text: 'a' }), { text: '' }] });
  const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
  expect(result).toMatchObject({ status: 'completed', content: streamed });
  expect(result.messages.at(-1)).toMatchObject({ role: 'assistant', content: streamed });
  expect(streamed).not.toBe('');
});
