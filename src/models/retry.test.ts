import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectOutcome, makeRequest, NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { createFakeClock } from '../clock.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { ModelChunk, StreamOptions } from './model.ts';
import { parseRetryAfter } from './model-errors.ts';
import { createRetryingModel, type RetryOptions } from './retry.ts';
import { createScriptedModel, type ScriptedReply } from './scripted.ts';
import { Stoppable } from './stoppable.ts';

const fail = (code: ErrorCode, retryAfterSeconds?: number) => ({
  error: new AppError(code, { detail: `${code}!`, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
});
const ADVICE = 'If it needs longer, raise model.timeout_seconds (and the limits of loop that the file sets).';
const notice = (text: string): ModelChunk => ({ type: 'notice', text });
const hello: ModelChunk[] = [
  { type: 'text', text: 'Hello' },
  { type: 'finish', reason: 'stop' },
];

interface Setting extends Partial<RetryOptions>, Partial<StreamOptions> {
  fallbackReplies?: ScriptedReply[];
}

/** Plays the replies through retries on a clock that advances by itself; returns the chunks, the error and the time. */
async function play(replies: ScriptedReply[], setting: Setting = {}) {
  const { fallbackReplies, signal = NEVER_ABORTED, remainingMs, ...options } = setting;
  const clock = createFakeClock();
  const model = createScriptedModel(replies, { clock });
  const second = createScriptedModel(fallbackReplies ?? [], { clock, label: 'second' });
  const fallback = fallbackReplies && { model: second, timeoutMs: 30_000 };
  const retrying = createRetryingModel(model, { timeoutMs: 30_000, clock, random: () => 1, fallback, ...options });
  let isSettled = false;
  const running = collectOutcome(
    retrying.stream(makeRequest(), { signal, ...(remainingMs !== undefined && { remainingMs }) }),
  ).finally(() => {
    isSettled = true;
  });
  while (!isSettled) await clock.advance(100);
  const outcome = await running;
  return {
    ...outcome,
    tries: model.requests.length,
    fallbackTries: second.requests.length,
    tookMs: clock.now(),
    waiting: clock.waiting,
  };
}

describe('createRetryingModel', () => {
  it('returns a good reply and leaves no timer behind', async () => {
    expect(await play(['Hello'])).toMatchObject({ chunks: hello, error: undefined, tries: 1, waiting: 0 });
  });

  it.each<ErrorCode>(['model_unavailable', 'model_rate_limited', 'model_bad_reply'])(
    'tries three times after %s, telling so',
    async (code) => {
      const { chunks, error, tries } = await play([fail(code), fail(code), fail(code), 'too late']);
      expect(tries).toBe(3);
      expect(error).toMatchObject({ code });
      expect(chunks.map((chunk) => chunk.type)).toEqual(['notice', 'notice']);
    },
  );

  it('emits a notice about the retry and continues', async () => {
    expect(await play([fail('model_unavailable'), 'Hello'])).toMatchObject({
      chunks: [notice('The model could not be reached. Trying again (2 of 3).'), ...hello],
      error: undefined,
    });
  });

  it.each<ErrorCode>(['model_key_refused', 'model_refused', 'context_too_long'])(
    'never repeats after %s',
    async (code) => {
      expect(await play([fail(code), 'Hello'])).toMatchObject({ chunks: [], error: { code }, tries: 1 });
    },
  );

  it.each([
    ['text', { text: 'so far', error: fail('model_unavailable').error }],
    ['reasoning', { reasoning: 'hm', error: fail('model_unavailable').error }],
  ])('never repeats once %s was sent on', async (type, reply) => {
    const { chunks, error, tries } = await play([reply, 'Hello'], { fallbackReplies: ['Hello'] });
    expect({ types: chunks.map((chunk) => chunk.type), tries }).toEqual({ types: [type], tries: 1 });
    expect(error).toMatchObject({ code: 'model_unavailable' });
  });

  it('waits as long as it is asked to when that fits', async () => {
    const { chunks, tookMs } = await play([fail('model_rate_limited', 12), 'Hello']);
    expect(chunks).toEqual([notice('The model is busy. Trying again in 12 s (2 of 3).'), ...hello]);
    expect(tookMs).toBeGreaterThanOrEqual(12_000);
  });

  it('gives up at once when the wait does not fit', async () => {
    expect(await play([fail('model_rate_limited', 60), 'Hello'])).toMatchObject({
      chunks: [],
      error: { code: 'model_rate_limited', retryAfterSeconds: 60 },
      tries: 1,
    });
  });

  it('turns a reply without an end into an error', async () => {
    const { error } = await play([{ chunks: [{ type: 'text', text: 'so' }] }]);
    expect(error).toMatchObject({ code: 'model_bad_reply' });
  });
});

describe('every run of createRetryingModel', () => {
  const code = fc.constantFrom<ErrorCode>('model_unavailable', 'model_rate_limited', 'model_timeout', 'model_refused');
  const reply = fc.record(
    {
      text: fc.string({ minLength: 1 }),
      reasoning: fc.string({ minLength: 1 }),
      code,
      hang: fc.boolean(),
      delayMs: fc.nat(20_000),
    },
    { requiredKeys: ['code'] },
  );
  const toReply = ({ code, hang, ...parts }: { code: ErrorCode; hang?: boolean }): ScriptedReply =>
    hang === undefined ? { ...parts, ...fail(code) } : hang ? { ...parts, hang } : { text: 'ok', ...parts };

  it('asks again after pieces of a call, which nobody has acted on', async () => {
    const part: ModelChunk = { type: 'call-part', index: 0, name: 'one', text: '{' };
    const { chunks, tries, error } = await play([{ chunks: [part], ...fail('model_bad_reply') }, 'Hello']);
    expect([tries, error]).toEqual([2, undefined]);
    expect(chunks.map((chunk) => chunk.type)).toEqual(['call-part', 'notice', 'text', 'finish']);
  });

  it('asks each model at most three times, in time, and never again after a chunk was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 3, maxLength: 3 }), fc.boolean(), async (replies, hasFallback) => {
        const script = replies.map(toReply);
        const { chunks, tries, fallbackTries, tookMs } = await play(
          script,
          hasFallback ? { fallbackReplies: script } : {},
        );
        const firstSent = chunks.findIndex((chunk) => chunk.type !== 'notice');
        const lastNotice = chunks.findLastIndex((chunk) => chunk.type === 'notice');
        expect(firstSent === -1 || lastNotice < firstSent).toBe(true);
        expect(Math.max(tries, fallbackTries)).toBeLessThanOrEqual(3);
        expect(tookMs).toBeLessThanOrEqual(30_100);
      }),
      { numRuns: 100 },
    );
  });
});

describe('deadlines of createRetryingModel', () => {
  it('ends inside the deadline when the model never begins', async () => {
    const { error, tries, tookMs } = await play([{ hang: true }, { hang: true }, { hang: true }]);
    expect(error).toMatchObject({
      code: 'model_timeout',
      author: `scripted did not start to answer within 30 s. ${ADVICE}`,
    });
    expect(tries).toBe(1);
    expect(tookMs).toBeLessThanOrEqual(30_100);
  });

  it('asks a slow model at most once more, after any other fault too', async () => {
    const slow = { timeoutMs: 10_000, remainingMs: 90_000 };
    const { chunks, tries, tookMs } = await play([{ hang: true }, { hang: true }, 'Hello'], slow);
    expect(chunks).toEqual([notice('The model took too long. Trying again (2 of 2).')]);
    expect(tries).toBe(2);
    expect(tookMs).toBeLessThanOrEqual(21_000);
    expect((await play([fail('model_unavailable'), { hang: true }, 'Hello'], slow)).tries).toBe(3);
    expect((await play([{ hang: true }, fail('model_unavailable'), 'Hello'], slow)).tries).toBe(2);
  });

  it('asks a slow model again only if another whole attempt fits', async () => {
    const tries = async (remainingMs: number) =>
      (await play([{ hang: true }, 'Hello'], { timeoutMs: 10_000, remainingMs })).tries;
    expect([await tries(20_000), await tries(21_000)]).toEqual([1, 2]);
  });

  it('gives the first byte and a pause the whole attempt', async () => {
    expect((await play([{ text: 'Hello', delayMs: 29_000 }])).chunks).toEqual(hello);
    const { chunks, error, tookMs } = await play([{ text: 'so far', hang: true }]);
    expect(chunks).toEqual([{ type: 'text', text: 'so far' }]);
    expect(error).toMatchObject({
      code: 'model_timeout',
      author: `scripted did not finish its reply within 30 s. ${ADVICE}`,
    });
    expect(tookMs).toBeGreaterThanOrEqual(30_000);
  });

  it('keeps a slow fallback its whole attempt where one of the model fits before it', async () => {
    const fallback = { model: createScriptedModel(['Hello']), timeoutMs: 100_000 };
    const { chunks, tries, tookMs } = await play([fail('model_rate_limited', 40)], { remainingMs: 120_000, fallback });
    expect(chunks).toEqual([notice('The model is busy. Continuing with the fallback model scripted.'), ...hello]);
    expect([tries, tookMs <= 100]).toEqual([1, true]);
  });

  it('ends an attempt after its own timeout', async () => {
    const { tries, tookMs } = await play([{ hang: true }, 'Hello'], { timeoutMs: 2_000 });
    expect(tries).toBe(2);
    expect(tookMs).toBeLessThanOrEqual(3_000);
  });

  it('keeps a third of the time for the fallback', async () => {
    const { chunks, tookMs, fallbackTries } = await play([{ hang: true }, { hang: true }], {
      remainingMs: 12_000,
      fallbackReplies: [{ text: 'Hello', delayMs: 3_900 }],
    });
    expect(chunks).toEqual([notice('The model took too long. Continuing with the fallback model second.'), ...hello]);
    expect(fallbackTries).toBe(1);
    expect(tookMs).toBeLessThanOrEqual(12_000);
  });

  it('goes to the fallback at once when a wait does not fit or a key is refused', async () => {
    for (const reply of [fail('model_rate_limited', 60), fail('model_key_refused')]) {
      const { tries, error, tookMs } = await play([reply], { fallbackReplies: ['Hello'] });
      expect({ tries, error }).toEqual({ tries: 1, error: undefined });
      expect(tookMs).toBeLessThanOrEqual(100);
    }
  });

  it('names both failures when the fallback fails too', async () => {
    const { error } = await play([fail('model_key_refused')], { fallbackReplies: [fail('model_refused')] });
    expect(error).toMatchObject({
      code: 'model_refused',
      author: 'model_key_refused! The fallback model failed too: model_refused!',
    });
  });

  it('leaves a conversation that is too long to the caller', async () => {
    const { error, fallbackTries } = await play([fail('context_too_long')], { fallbackReplies: ['Hello'] });
    expect({ code: error instanceof AppError && error.code, fallbackTries }).toEqual({
      code: 'context_too_long',
      fallbackTries: 0,
    });
  });
});

describe('aborting createRetryingModel', () => {
  it.each([
    ['before it begins', [{ hang: true }], 0],
    ['while the model is silent', [{ hang: true }], 5_000],
    ['between two tries', [fail('model_rate_limited', 20), 'Hello'], 5_000],
  ])('rethrows the reason when stopped %s', async (_, replies, afterMs) => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const reason = new Error('the user stopped it');
    const model = createScriptedModel(replies, { clock });
    const fallback = { model: createScriptedModel(['Hello']), timeoutMs: 30_000 };
    if (afterMs === 0) controller.abort(reason);
    const retrying = createRetryingModel(model, { timeoutMs: 30_000, clock, fallback });
    const running = collectOutcome(retrying.stream(makeRequest(), { signal: controller.signal, remainingMs: 90_000 }));
    await clock.advance(afterMs);
    controller.abort(reason);
    expect((await running).error).toBe(reason);
    expect(fallback.model.requests).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it('stops a model that ignores its signal', async () => {
    const controller = new AbortController();
    const deaf = {
      label: 'deaf',
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
    };
    const retrying = createRetryingModel(deaf, { timeoutMs: 30_000, clock: createFakeClock() });
    const running = collectOutcome(retrying.stream(makeRequest(), { signal: controller.signal }));
    controller.abort('stopped');
    expect((await running).error).toBe('stopped');
  });
});

describe('parseRetryAfter', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');

  it.each([
    ['7', 7],
    ['0.5', 0.5],
    [' 12 ', 12],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', undefined],
    ['-3', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });
});

const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };

describe('Stoppable', () => {
  it('stops waiting for a source that never answers', async () => {
    const source = new Stoppable(() => silent);
    const waiting = source.next();
    source.stop(new Error('enough'));
    source.stop(new Error('too late'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(source.next()).rejects.toThrow('enough');
  });

  it('releases a source that pauses until it is read again', async () => {
    let isLetGo = false;
    async function* count() {
      try {
        yield 1;
      } finally {
        isLetGo = true;
      }
    }
    const source = new Stoppable(count);
    await source.next();
    source.stop(new Error('enough'));
    await expect(source.next()).rejects.toThrow('enough');
    await expect.poll(() => isLetGo).toBe(true);
  });

  it('rejects with the error of opening', async () => {
    const source = new Stoppable(() => {
      throw new Error('closed');
    });
    await expect(source.next()).rejects.toThrow('closed');
  });

  it('returns the items and releases the source without waiting for it', async () => {
    let isLetGo = false;
    async function* count() {
      try {
        yield 1;
        yield 2;
        yield 3;
      } finally {
        isLetGo = true;
        await new Promise(() => {});
      }
    }
    const seen: number[] = [];
    for await (const value of new Stoppable(count)) {
      seen.push(value);
      if (value === 2) break;
    }
    expect([seen, isLetGo]).toEqual([[1, 2], true]);
  });
});
