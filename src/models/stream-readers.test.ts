import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { createPost } from './http-post.ts';
import { createThinkTags } from './providers/think-tags.ts';
import { createCallCollector, type ToolCallPart } from './providers/tool-call-parts.ts';
import { createSseLines, MAX_LINE_CHARS } from './sse-lines.ts';

function read(...pieces: string[]) {
  const seen: string[] = [];
  const lines = createSseLines({
    onData: (data) => seen.push(`data ${data}`),
    onStray: (line) => seen.push(`stray ${line}`),
    onTooLong: () => seen.push('too long'),
  });
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return seen;
}

describe('createSseLines', () => {
  it('returns data lines and skips comments and other fields', () => {
    expect(read(': hi\nevent: x\nid: 1\nretry: 5\ndata: {"a":1}\n\ndata:[DONE]\n\n')).toEqual([
      'data {"a":1}',
      'data [DONE]',
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('accepts %j as line break', (lineBreak) => {
    expect(read(['data: a', '', 'data: b', '', ''].join(lineBreak))).toEqual(['data a', 'data b']);
  });

  it('returns a last line without a line break', () => {
    expect(read('data: a\n\ndata: b')).toEqual(['data a', 'data b']);
  });

  it('reports lines that belong to no event stream', () => {
    expect(read('<html>\n')).toEqual(['stray <html>']);
  });

  it('gives up on a line that has no end, and on one that is too long', () => {
    const half = 'x'.repeat(MAX_LINE_CHARS / 2);
    expect(read(`data: ${half}`, half)[0]).toBe('too long');
    expect(read(`data: ${half}${half}\n`)[0]).toBe('too long');
  });

  it('returns the same lines for every cut', () => {
    const text = ': c\r\ndata: {"a":"é🥛"}\r\n\r\ndata: b\n\ndata: c\r\rdata:d';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const positions = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = positions.slice(1).map((end, index) => text.slice(positions[index], end));
        expect(read(...pieces)).toEqual(['data {"a":"é🥛"}', 'data b', 'data c', 'data d']);
      }),
    );
  });
});

describe('createPost', () => {
  it('sends again when the server had closed the kept connection', async () => {
    const served = new Map<unknown, number>();
    const server = http.createServer((request, response) => {
      const count = (served.get(request.socket) ?? 0) + 1;
      served.set(request.socket, count);
      if (count > 1) request.socket.destroy();
      else response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
    const post = createPost();
    const ask = async () => {
      const { body } = await post({
        url: new URL(`http://127.0.0.1:${port}`),
        headers: {},
        body: 'x',
        signal: NEVER_ABORTED,
      });
      const reply = await text(body);
      await new Promise((resolve) => setImmediate(resolve));
      return reply;
    };
    expect([await ask(), await ask()]).toEqual(['hello', 'hello']);
    expect([...served.values()]).toEqual([2, 1]);
    server.closeAllConnections();
    server.close();
  });
});

const COUNT = 60_000;

/** The best of three runs in milliseconds; other load on the machine can only make a run longer. */
function timeOf(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return Math.min(...times);
}

const readText = (text: string) => () => createThinkTags(() => {}).push(text);
const readParts = (makePart: (index: number) => ToolCallPart) => () => {
  const calls = createCallCollector(() => 'new');
  for (let index = 0; index < COUNT; index++) calls.add(makePart(index));
};
const argumentsAt = (index: number) => (index === 0 ? '{"a":"' : '}');

describe('a hostile reply', () => {
  it.each([
    ['tags', readText('</think>'.repeat(COUNT)), readText('<b>bold '.repeat(COUNT))],
    [
      'calls',
      readParts((index) => ({ index, name: 'echo', arguments: '{}' })),
      readParts((index) => ({ id: `c${index}`, name: 'echo', arguments: '{}' })),
    ],
    [
      'parts of one call, each of which may end it',
      readParts((index) => ({ index: 0, name: 'echo', arguments: argumentsAt(index) })),
      readParts((index) => ({ index: 0, ...(index === 0 && { name: 'echo' }), arguments: argumentsAt(index) })),
    ],
  ])('of many %s takes about as long as a plain one of the same size', (_, hostile, plain) => {
    // Quadratic work would take many thousand times as long.
    expect(timeOf(hostile) / timeOf(plain)).toBeLessThan(1_000);
  });
});
