import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
