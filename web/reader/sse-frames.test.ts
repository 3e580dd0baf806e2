import { describe, expect, it } from 'vitest';
import { createFrameReader } from './sse-frames.ts';

const STREAM =
  ': hello\n\nid: a.1.0.0\ndata: {"x":1}\n\nevent: session\ndata: one\ndata: two\n\n: ping\n\nid: b\ndata:3\n\n';
const FRAMES = [
  { id: 'a.1.0.0', data: '{"x":1}' },
  { event: 'session', data: 'one\ntwo' },
  { id: 'b', data: '3' },
];

describe('createFrameReader', () => {
  it('reads the same frames however the text is cut', () => {
    for (let size = 1; size <= STREAM.length; size++) {
      const read = createFrameReader();
      const cuts = Array.from({ length: Math.ceil(STREAM.length / size) }, (_, index) =>
        STREAM.slice(index * size, (index + 1) * size),
      );
      expect(cuts.flatMap(read)).toEqual(FRAMES);
    }
  });

  it('keeps an unfinished frame back', () => {
    const read = createFrameReader();
    expect(read('data: half')).toEqual([]);
    expect(read('\n\n')).toEqual([{ data: 'half' }]);
  });
});
