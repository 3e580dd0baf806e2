import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectChunks, collectOutcome, makeMessage, makeRequest, NEVER_ABORTED } from './fakes/model-request.ts';
import { type FakeReply, sendPieces, startModelServer } from './fakes/model-server.ts';
import { expectedChunks, joinPieces, joinText, WIRE_PROTOCOLS, type WireProtocol } from './fakes/wire-protocols.ts';
import { sweep } from './long.ts';

const options = { signal: NEVER_ABORTED };
const cutAt = (bytes: Buffer, ...positions: number[]) =>
  [0, ...positions].map((start, index) => bytes.subarray(start, positions[index]));

/** Asks once for each reply, a few at a time, and returns the unexpected results. */
async function findDifferences(protocol: WireProtocol, replies: FakeReply[]): Promise<unknown[]> {
  await using server = await startModelServer(replies);
  const model = protocol.create(server.url);
  const expected = { chunks: expectedChunks(protocol), error: undefined };
  const differences: unknown[] = [];
  let open = replies.length;
  const work = async () => {
    while (open-- > 0) {
      const { chunks, error } = await collectOutcome(model.stream(makeRequest(), options));
      const outcome = { chunks: joinText(chunks), error };
      if (JSON.stringify(outcome) !== JSON.stringify(expected)) differences.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return differences;
}

describe.each(WIRE_PROTOCOLS)('the wire protocol of $provider', (protocol) => {
  const { reply } = protocol;

  it('arrives whole, with its key in a header', async () => {
    await using server = await startModelServer([sendPieces([reply])]);
    const chunks = await collectChunks(protocol.create(server.url).stream(makeRequest(), options));
    expect(joinText(chunks)).toEqual(expectedChunks(protocol));
    const calls = chunks.flatMap((chunk) => (chunk.type === 'tool-call' ? [chunk.arguments] : []));
    const pieces = joinPieces(chunks);
    expect(pieces).toEqual(calls.slice(0, pieces.length));
    expect(server.requests.map((request) => request.path)).toEqual([protocol.path]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain('test-key');
  });

  it('comes out the same wherever it is cut', { timeout: 120_000 }, async () => {
    const positions = Array.from(reply.subarray(1), (_, index) => index + 1);
    const replies = sweep(positions, 7).map((position) => sendPieces(cutAt(reply, position)));
    expect(await findDifferences(protocol, replies)).toEqual([]);
  });

  it('comes out the same byte by byte', async () => {
    expect(await findDifferences(protocol, [sendPieces(Array.from(reply, (byte) => Buffer.of(byte)))])).toEqual([]);
  });

  it('comes out the same with CRLF as line break', async () => {
    const bytes = Buffer.from(reply.toString().replaceAll('\n', '\r\n'));
    const replies = Array.from({ length: 100 }, (_, index) => sendPieces(cutAt(bytes, 20 + index, 200 + 2 * index)));
    expect(await findDifferences(protocol, replies)).toEqual([]);
  });

  it('comes out the same in any pieces', async () => {
    const positions = fc.uniqueArray(fc.integer({ min: 1, max: reply.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(positions, async (cuts) => {
        const pieces = cutAt(reply, ...cuts.toSorted((a, b) => a - b));
        expect(await findDifferences(protocol, [sendPieces(pieces)])).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('never ends well when it is cut short', async () => {
    const end = reply.lastIndexOf(protocol.lastNeeded);
    const lengths = Array.from({ length: 30 }, (_, index) => Math.floor((end * index) / 29));
    await using server = await startModelServer(lengths.map((length) => sendPieces([reply.subarray(0, length)])));
    const model = protocol.create(server.url);
    for (const length of lengths) {
      const { chunks, error } = await collectOutcome(model.stream(makeRequest(), options));
      expect({ length, error }).toMatchObject({ error: { code: 'model_bad_reply' } });
      expect(chunks.filter((chunk) => chunk.type === 'finish' || chunk.type === 'tool-call')).toEqual([]);
    }
  });

  it('gets its own state back: calls, results in call order, signatures', async () => {
    await using server = await startModelServer([sendPieces([reply])]);
    await collectChunks(protocol.create(server.url).stream(makeHistory(protocol), options));
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('c2ln');
    expect(sent.indexOf('result one')).toBeLessThan(sent.indexOf('result two'));
    expect(sent.indexOf('result one')).toBeGreaterThan(-1);
  });

  it('does not send the signatures of another model', async () => {
    await using server = await startModelServer([sendPieces([reply])]);
    const request = makeHistory(protocol, 'another model');
    await collectChunks(protocol.create(server.url).stream(request, options));
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('c2ln');
  });
});

/** A turn whose calls were answered in the other order, and in which no tool may be called any more. */
function makeHistory(protocol: WireProtocol, label = protocol.create('http://127.0.0.1').label) {
  const messages = [
    makeMessage({ role: 'user', content: 'Add milk' }),
    makeMessage({
      role: 'assistant',
      content: 'Adding',
      tool_calls: [
        { id: 'call_1', name: 'add_task', arguments: { title: 'milk' } },
        { id: 'call_2', name: 'list_tasks', arguments: {} },
      ],
      metadata: { model_state: { label, ...protocol.state } },
    }),
    makeMessage({ role: 'tool', tool_call_id: 'call_2', content: 'result two' }),
    makeMessage({ role: 'tool', tool_call_id: 'call_1', content: 'result one' }),
  ];
  return makeRequest({ messages });
}
