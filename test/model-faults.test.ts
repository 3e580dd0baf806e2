import { describe, expect, it } from 'vitest';
import { AppError } from '../src/errors.ts';
import { createRetryingModel } from '../src/models/retry.ts';
import { createFastClock } from './fakes/fast-clock.ts';
import { HARMLESS, MODEL_FAULTS, type ModelFault } from './fakes/model-faults.ts';
import { collectOutcome, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { EVENT_STREAM, sendPieces, startModelServer } from './fakes/model-server.ts';
import { expectedChunks, findText, joinText, WIRE_PROTOCOLS, type WireProtocol } from './fakes/wire-protocols.ts';

const DEADLINE_MS = 30_000;
/**
 * The clock runs ten times as fast, so that a deadline takes three seconds. Faults that transfer bytes get real time.
 */
const FACTOR = 10;
/** The machine may be busy for a second of real time at the deadline. */
const SLACK_MS = 1_000 * FACTOR;
const options = { signal: NEVER_ABORTED, remainingMs: DEADLINE_MS };

/** Runs a fault with the retries around the model and returns everything that a caller can see. */
async function meet(fault: ModelFault, protocol: WireProtocol) {
  await using server = await fault.start(protocol);
  const clock = createFastClock(fault.isBusy ? 1 : FACTOR);
  const model = createRetryingModel(protocol.create(server.url), { timeoutMs: 30_000, clock });
  const start = clock.now();
  const { chunks, error } = await collectOutcome(model.stream(makeRequest(), options));
  const sent = chunks.filter((chunk) => chunk.type !== 'notice');
  return {
    code: error instanceof AppError ? error.code : error,
    says:
      error instanceof AppError
        ? hideNames(error.author ?? '', { server: server.url, protocol, label: model.label })
        : '',
    forPeople: error instanceof AppError ? error.message : '',
    tries: chunks.length - sent.length + 1,
    afterText: sent.length > 0,
    isInTime: clock.now() - start < DEADLINE_MS + SLACK_MS,
    requests: server.requests.length,
    nextReply: fault.recovers && (await collectOutcome(model.stream(makeRequest(), options))),
    hasKey: [error, error instanceof AppError && error.cause, error instanceof AppError && error.author].some((text) =>
      /test-key|sk-abc/.test(String(text)),
    ),
  };
}

function hideNames(text: string, names: { server: string; protocol: WireProtocol; label: string }): string {
  return text
    .replaceAll(new URL(names.server).host, 'HOST')
    .replaceAll(names.label, 'MODEL')
    .replace(/(?<=knows no model )"[^"]+"/, '"MODEL"')
    .replaceAll(`for ${names.protocol.provider}`, 'for PROVIDER');
}

/** Details that must not be sent over HTTP. */
const INTERNAL =
  /127\.0\.0\.1|localhost|example|model\.\w|status|api.?key|openai|anthropic|google|gemini|claude|gpt|small/i;

describe.each(WIRE_PROTOCOLS)('faults of $provider', (protocol) => {
  it.concurrent.each(MODEL_FAULTS)('$name', async (fault) => {
    const { requests, nextReply, forPeople, ...seen } = await meet(fault, protocol);
    const { code, says, tries, afterText = false } = fault;
    expect(seen).toEqual({ code, says, tries, afterText, isInTime: true, hasKey: false });
    expect(forPeople).toMatch(/^The (model|conversation) [^:]+\. Please [^:]+\.$/);
    expect(forPeople).not.toMatch(INTERNAL);
    expect(requests).toBeLessThanOrEqual(3);
    if (nextReply) expect(joinText(nextReply.chunks)).toEqual(expectedChunks(protocol));
  });

  it.concurrent.each(HARMLESS)('$name is read', async ({ start }) => {
    await using server = await start(protocol);
    const { chunks, error } = await collectOutcome(protocol.create(server.url).stream(makeRequest(), options));
    expect({ chunks: joinText(chunks), error }).toEqual({ chunks: expectedChunks(protocol), error: undefined });
  });

  it.concurrent('a fault that is reported inside the reply', async () => {
    const { event, code } = protocol.report;
    const begun = protocol.reply.subarray(0, findText(protocol).end);
    await using server = await startModelServer([sendPieces([begun, `${event}\n\n`])]);
    const { error } = await collectOutcome(protocol.create(server.url).stream(makeRequest(), options));
    expect(error).toMatchObject({ code });
  });

  it.concurrent('a caller who stops: the connection is closed and the reason comes back', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const begun = protocol.reply.subarray(0, findText(protocol).end);
    await using server = await startModelServer([
      (response) => {
        response.once('close', closed.resolve);
        response.writeHead(200, EVENT_STREAM).write(begun);
      },
    ]);
    const reason = new Error('the user stopped it');
    const stream = protocol.create(server.url).stream(makeRequest(), { signal: controller.signal });
    const running = collectOutcome(
      (async function* () {
        for await (const chunk of stream) {
          yield chunk;
          if (chunk.type === 'text') controller.abort(reason);
        }
      })(),
    );
    expect((await running).error).toBe(reason);
    await closed.promise;
  });
});
