import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { ToolCall, type ToolError } from '../schema/conversation/tool-call.ts';
import { User } from '../schema/user.ts';
import { boundError, boundResult, MAX_RESULT_BYTES } from './bound-output.ts';
import { offerTools } from './offer.ts';
import { parseArguments, prepareCall } from './prepare-call.ts';
import { failCall, type RunCallInput, runCall, runCalls } from './run-call.ts';
import type { Tool } from './tool.ts';
import { createValidator } from './validate.ts';

const START = '2026-01-01T00:00:00.000Z';
const user = User.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'Ada' });
const call: ToolCall = { id: 'call-1', name: 'note', arguments: { text: 'hi' }, state: 'pending' };
const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const never = () => new Promise<never>(() => {});

function makeTool(run: Tool['run'], about: Partial<Tool> = {}): Tool {
  return { name: 'note', description: 'Notes a text', inputSchema, source: 'notes', run, ...about };
}

function makeInput(tool: Tool, about: Partial<RunCallInput> = {}) {
  const runs: unknown[] = [];
  const clock = createFakeClock(START);
  const surroundings = { user, conversationId: 'c', clock, signal: new AbortController().signal, timeoutMs: 50_000 };
  const callbacks = { onRun: async (run: unknown) => void runs.push(run), progress: () => {}, ask: never };
  const { offered: tools } = offerTools([tool]);
  const prepared = prepareCall({ call: about.call ?? call, tools, user, validator: createValidator() });
  const input: RunCallInput = { call, prepared, ...surroundings, ...callbacks, ...about };
  return { input, clock, runs };
}

const ended = (about: Partial<ToolCall>, durationMs = 0): ToolCall => ({
  ...call,
  started_at: START,
  completed_at: new Date(Date.parse(START) + durationMs).toISOString(),
  duration_ms: durationMs,
  ...about,
});
const failed = (error_type: 'ToolInvocationError' | 'ValidationError', message: string) =>
  ended({ state: 'failed', error: { error_type, message } });
const sent_arguments = { text: 'hi' };

describe('runCall', () => {
  it('returns completed with the result, the sent arguments and the duration', async () => {
    const { input, clock, runs } = makeInput(
      makeTool((args) => new Promise((resolve) => clock.after(120, () => resolve({ result: { got: args } })))),
    );
    const done = runCall(input);
    await clock.advance(120);
    expect(await done).toEqual(ended({ state: 'completed', sent_arguments, result: { got: { text: 'hi' } } }, 120));
    expect(runs).toEqual([{ sent_arguments, started_at: START, overridden: [] }]);
    expect(ToolCall.safeParse(await done).success).toBe(true);
  });

  it('does not begin a tool that must not run twice while the lease is in doubt; other tools run', async () => {
    let runs = 0;
    const run = async () => ({ result: ++runs });
    const tryCall = (about: Partial<Tool>, mayAct = () => false) =>
      runCall(makeInput(makeTool(run, about), { mayAct }).input);
    const refused = await tryCall({});
    expect(refused).toMatchObject({ state: 'failed', error: { error_type: 'DatabaseError' } });
    expect(runs).toBe(0);
    expect(await tryCall({ readOnly: true })).toMatchObject({ state: 'completed' });
    expect(await tryCall({ idempotent: true })).toMatchObject({ state: 'completed' });
    expect(await tryCall({}, () => true)).toMatchObject({ state: 'completed' });
    expect(runs).toBe(3);
  });

  it('completes after its effect, however long the record of its start took to write', async () => {
    let effectAt = '';
    const { input, clock } = makeInput(
      makeTool(async () => {
        effectAt = clock.date().toISOString();
        return { result: 'done' };
      }),
    );
    const onRun = () => new Promise<void>((resolve) => clock.after(300.4, resolve));
    const done = runCall({ ...input, onRun });
    await clock.advance(301);
    const { started_at = '', completed_at = '', duration_ms } = await done;
    expect(completed_at >= effectAt).toBe(true);
    expect(Date.parse(completed_at) - Date.parse(started_at)).toBe(duration_ms);
  });

  it('returns failed with the known tool names when the tool is unknown', async () => {
    const { input, runs } = makeInput(makeTool(never), { call: { ...call, name: 'nota' } });
    expect(await runCall(input)).toEqual({
      ...failed('ToolInvocationError', 'There is no tool named "nota". Known tools: note.'),
      name: 'nota',
    });
    expect(runs).toEqual([]);
  });

  it('returns failed and does not run the tool when the arguments are invalid', async () => {
    const { input, runs } = makeInput(makeTool(never), { call: { ...call, arguments: {} } });
    expect(await runCall(input)).toEqual(
      ended({
        arguments: {},
        state: 'failed',
        error: {
          error_type: 'ValidationError',
          message: 'The arguments of note are not valid: text is required.',
          details: [{ path: 'text', message: 'is required' }],
        },
      }),
    );
    expect(runs).toEqual([]);
  });

  it("sends the user's id whatever the model sent", async () => {
    const schema = { ...inputSchema, properties: { ...inputSchema.properties, user_id: { type: 'string' } } };
    const tool = makeTool(async (args) => ({ result: args }), {
      inputSchema: { ...schema, required: ['text', 'user_id'], additionalProperties: false },
      bind: { user_id: '$user.id' },
    });
    const { input, runs } = makeInput(tool, { call: { ...call, arguments: { text: 'hi', user_id: 'other' } } });
    const sent = { text: 'hi', user_id: user.id };
    expect((await runCall(input)).result).toEqual(sent);
    expect(runs).toEqual([{ sent_arguments: sent, started_at: START, overridden: ['user_id'] }]);
  });

  it('returns failed when the sent arguments break the original schema', async () => {
    const tool = makeTool(never, {
      inputSchema: { type: 'object', properties: { user_id: { type: 'integer' } } },
      bind: { user_id: '$user.id' },
    });
    const { input, runs } = makeInput(tool);
    const { state, error } = await runCall(input);
    expect([state, error?.message, runs]).toEqual([
      'failed',
      'The arguments of note are not valid: user_id must be a whole number.',
      [],
    ]);
  });

  it('records the run before the tool starts', async () => {
    const order: string[] = [];
    const tool = makeTool(async () => {
      order.push('started');
      return { result: null };
    });
    const onRun = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('recorded');
    };
    await runCall(makeInput(tool, { onRun }).input);
    expect(order).toEqual(['recorded', 'started']);
  });

  it('rejects and does not start the tool when the run cannot be recorded', async () => {
    const started: string[] = [];
    const tool = makeTool(async () => ({ result: started.push('started') }));
    const onRun = () => Promise.reject(new AppError('turn_taken_over', { detail: 'gone' }));
    await expect(runCall(makeInput(tool, { onRun }).input)).rejects.toThrow('gone');
    expect(started).toEqual([]);
  });

  it('returns timeout after timeoutMs and aborts a tool that ignores it', async () => {
    const signals: AbortSignal[] = [];
    const { input, clock } = makeInput(
      makeTool((_, { signal }) => {
        signals.push(signal);
        return never();
      }),
    );
    const done = runCall(input);
    await clock.advance(50_000);
    const message = 'note did not answer in time. Whether it took effect is not known.';
    expect(await done).toEqual(
      ended({ state: 'timeout', sent_arguments, error: { error_type: 'Timeout', message } }, 50_000),
    );
    expect([signals[0]?.aborted, clock.waiting]).toEqual([true, 0]);
  });

  it('returns timeout when the whole answer ran out of time', async () => {
    const stop = new AbortController();
    const { input, clock } = makeInput(makeTool(never, { readOnly: true }), { signal: stop.signal });
    const done = runCall(input);
    await clock.advance(10);
    stop.abort(new AppError('model_timeout', { detail: 'late' }));
    const { state, error } = await done;
    expect([state, error?.message]).toEqual(['timeout', 'note did not answer in time.']);
  });

  it('returns failed when cancelled before it ran, and unknown when cancelled while running', async () => {
    const early = await runCall(makeInput(makeTool(never), { signal: AbortSignal.abort() }).input);
    expect(early).toEqual(failed('ToolInvocationError', 'note was cancelled before it ran.'));

    const stop = new AbortController();
    const { input, clock } = makeInput(makeTool(never), { signal: stop.signal });
    const done = runCall(input);
    await clock.advance(10);
    stop.abort();
    const message = 'note was cancelled while it ran. Whether it took effect is not known.';
    expect(await done).toEqual(
      ended({ state: 'unknown', sent_arguments, error: { error_type: 'ToolInvocationError', message } }, 10),
    );
  });

  it('does not start a tool that was cancelled while its run was recorded', async () => {
    const stop = new AbortController();
    const started: string[] = [];
    const tool = makeTool(async () => ({ result: started.push('started') }));
    const { input } = makeInput(tool, { signal: stop.signal, onRun: async () => stop.abort() });
    expect([(await runCall(input)).state, started]).toEqual(['failed', []]);
  });

  it('returns failed without internals when the tool throws, at once or later', async () => {
    const thrown: unknown[] = [];
    const fault = new Error('ENOENT /srv/secret/file.ts:12');
    const throwsNow = () => {
      throw fault;
    };
    for (const run of [throwsNow, () => Promise.reject(fault)]) {
      const done = await runCall(makeInput(makeTool(run), { onThrow: (error) => thrown.push(error) }).input);
      expect(done).toEqual({ ...failed('ToolInvocationError', 'note failed unexpectedly.'), sent_arguments });
    }
    expect(thrown).toEqual([fault, fault]);
  });

  it('returns the message of an AppError, and an error that the tool returned', async () => {
    const words = new AppError('tool_unavailable', { detail: 'The notes are closed.' });
    const threw = await runCall(makeInput(makeTool(() => Promise.reject(words))).input);
    expect(threw.error).toEqual({ error_type: 'ToolInvocationError', message: 'The notes are closed.' });
    const error = { error_type: 'TaskNotFound' as const, message: 'No such task' };
    const returned = await runCall(makeInput(makeTool(async () => ({ error }))).input);
    expect([returned.state, returned.error]).toEqual(['failed', error]);
  });

  it('returns unknown when the tool reports an unknown outcome', async () => {
    const error = { error_type: 'ToolInvocationError' as const, message: 'The server died.' };
    const done = await runCall(makeInput(makeTool(async () => ({ error, unknown: true }))).input);
    expect([done.state, done.error]).toEqual(['unknown', error]);
  });

  it('strips terminal escapes from the result', async () => {
    const tool = makeTool(async () => ({ result: { text: '\u001b[31mred\u001b[0m\u0007', list: ['\u202eabc'] } }));
    expect((await runCall(makeInput(tool).input)).result).toEqual({ text: 'red', list: ['abc'] });
  });

  it('cuts a result that is too large, and says so', async () => {
    const tool = makeTool(async () => ({ result: { text: 'x'.repeat(2000) } }));
    const { state, result } = await runCall(makeInput(tool, { maxResultBytes: 200 }).input);
    expect(state).toBe('completed');
    expect(result).toMatch(/^\{"text":"x+\n\[\d+ of 2011 characters left out\]$/);
  });

  it('cannot be changed through the arguments that the tool was given', async () => {
    const tool = makeTool(async (args) => {
      args.text = 'changed';
      return { result: null };
    });
    expect(await runCall(makeInput(tool).input)).toEqual(ended({ state: 'completed', sent_arguments, result: null }));
  });

  it.each([
    { about: { readOnly: true }, tries: 3 },
    { about: { idempotent: true }, tries: 3 },
    { about: {}, tries: 1 },
  ])('repeats a failing tool only where that does no harm: $about', async ({ about, tries }) => {
    const callIds: string[] = [];
    const tool = makeTool((_, { callId }) => {
      callIds.push(callId);
      return Promise.reject(new Error('down'));
    }, about);
    const { input, runs } = makeInput(tool, { retryAttempts: 2 });
    expect((await runCall(input)).state).toBe('failed');
    expect([callIds, runs.length]).toEqual([Array(tries).fill('call-1'), 1]);
  });

  it('does not repeat a call that would fail again', async () => {
    let tries = 0;
    const error = { error_type: 'ValidationError' as const, message: 'no such day' };
    const tool = makeTool(async () => ({ error, n: tries++ }), { readOnly: true });
    await runCall(makeInput(tool, { retryAttempts: 2 }).input);
    expect(tries).toBe(1);
  });

  it('stops the clock while a human is asked', async () => {
    const { input, clock } = makeInput(
      makeTool(async (_, { ask }) => ({ result: await ask({ text: 'Really?' }) })),
      { timeoutMs: 1000 },
    );
    const ask = () => new Promise<string>((resolve) => clock.after(60_000, () => resolve('yes')));
    const done = runCall({ ...input, ask });
    await clock.advance(60_000);
    const { state, result } = await done;
    expect([state, result]).toEqual(['completed', 'yes']);
  });
});

describe('failCall', () => {
  it('ends a call that was never run', () => {
    const error = { error_type: 'PermissionDenied' as const, message: 'The user said no.' };
    expect(failCall(call, error, createFakeClock(START))).toEqual(ended({ state: 'failed', error }));
  });
});

const makeCall = (ms: number): ToolCall => ({ id: `${ms}`, name: 'wait', arguments: {}, state: 'pending' });
const complete = (call: ToolCall): ToolCall => ({ ...call, state: 'completed', result: null });

describe('runCalls', () => {
  it('returns results in call order, reports each as it ends, and runs no more than `parallel` at once', async () => {
    const clock = createFakeClock();
    const ended: string[] = [];
    let running = 0;
    let most = 0;
    const run = async (call: ToolCall) => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => clock.after(Number(call.id), resolve));
      running--;
      return complete(call);
    };
    const calls = [30, 10, 20, 5].map(makeCall);
    const done = runCalls(calls, { parallel: 2, run, onEnd: (call) => void ended.push(call.id) });
    await clock.advance(100);
    expect(await done).toEqual(calls.map(complete));
    expect([ended, most]).toEqual([['10', '30', '20', '5'], 2]);
  });

  it('starts nothing more and waits for running calls when recording fails', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const run = async (call: ToolCall) => {
      seen.push(`start ${call.id}`);
      await new Promise<void>((resolve) => clock.after(Number(call.id), resolve));
      if (call.id === '10') throw new Error('the record is broken');
      seen.push(`end ${call.id}`);
      return complete(call);
    };
    const done = runCalls([30, 10, 20, 5].map(makeCall), { parallel: 2, run });
    const outcome = expect(done).rejects.toThrow('the record is broken');
    await clock.advance(100);
    await outcome;
    expect(seen).toEqual(['start 30', 'start 10', 'end 30']);
  });

  it('returns nothing for no calls', async () => {
    expect(await runCalls([], { parallel: 8, run: async (call) => call })).toEqual([]);
  });
});

describe('boundResult', () => {
  it('keeps a result that fits, and turns undefined into null', () => {
    expect([boundResult({ a: 1 }), boundResult(undefined)]).toEqual([{ a: 1 }, null]);
  });

  it('keeps a large result at a megabyte as its text', () => {
    const result = boundResult({ text: '"'.repeat(2_000_000) });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(result).toMatch(/^\{"text":"(\\")+\\?\n\[\d+ of 4000011 characters left out\]$/);
  });

  it('never exceeds the limit in bytes as JSON', () => {
    const value = fc.oneof(fc.string({ unit: 'binary', minLength: 50 }), fc.array(fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(value, fc.integer({ min: 60, max: 200 }), (result, maxBytes) => {
        expect(Buffer.byteLength(JSON.stringify(boundResult(result, maxBytes)))).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });
});

describe('boundError', () => {
  it('makes a readable error of any value that a foreign tool sent', () => {
    const foreign = { error_type: 'Weird', message: '\u001b[31m \n', details: { a: '\u0007' } } as unknown as ToolError;
    expect(boundError(foreign)).toEqual({
      error_type: 'ToolInvocationError',
      message: 'The tool failed without giving a reason.',
      details: { a: '' },
    });
  });

  it('cuts a long message', () => {
    const { message } = boundError({ error_type: 'Timeout', message: 'x'.repeat(9000) });
    expect(message).toMatch(/^x+\n\[\d+ of 9000 characters left out\]$/);
    expect(message.length).toBeLessThanOrEqual(2000);
  });
});

describe('parseArguments', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":{"b":[1,null]}}', { a: { b: [1, null] } }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"__proto__":{"admin":true},"a":{"\\u005f_proto__":1}}', { a: {} }],
  ])('reads %j', (text, expected) => {
    const parsed = parseArguments(text);
    expect(parsed).toEqual({ arguments: expected });
    expect('admin' in (parsed as { arguments: object }).arguments).toBe(false);
  });

  it.each([
    ['{"a":', 'the arguments are not JSON; write one JSON object'],
    ['[1]', 'the arguments are not a JSON object'],
    ['null', 'the arguments are not a JSON object'],
    ['"text"', 'the arguments are not a JSON object'],
    [`{"a":${'['.repeat(80)}${']'.repeat(80)}}`, 'the arguments are nested deeper than 64 levels'],
    [`{"a":"${'x'.repeat(1_000_000)}"}`, 'the arguments are longer than 1000000 characters'],
  ])('says what is wrong with %.20s', (text, problem) => {
    expect(parseArguments(text)).toEqual({ problem });
  });

  it('never throws, and returns the written arguments', () => {
    const deep = `{"a":${'['.repeat(300_000)}`;
    for (const text of [deep, deep + ']'.repeat(300_000)]) expect(parseArguments(text)).toHaveProperty('problem');
    fc.assert(fc.property(fc.string(), (text) => void parseArguments(text)));
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ noUnicodeString: false }),
    );
    fc.assert(
      fc.property(object, (args) => {
        const text = JSON.stringify(args);
        if (!text.includes('__proto__')) expect(parseArguments(text)).toEqual({ arguments: JSON.parse(text) });
      }),
    );
  });
});
