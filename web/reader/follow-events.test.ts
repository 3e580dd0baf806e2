import type { BaseEvent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import { ServerProblem } from '../api/api.ts';
import { createFrameReader, type FollowOptions, followEvents } from './follow-events.ts';

interface Script {
  /** The list has an entry per connection: the text that it brings, or the error that it fails with. */
  connections: (string | Error)[];
}

/** Runs until the connections are used up; returns all that was seen from outside. */
async function run({ connections }: Script) {
  const seen = {
    ids: [] as unknown[],
    lastIds: [] as (string | undefined)[],
    waits: [] as number[],
    lines: [] as string[],
  };
  let opened = 0;
  const end = Promise.withResolvers<unknown>();
  const options: FollowOptions = {
    open: async (lastId) => {
      seen.lastIds.push(lastId);
      const next = connections[opened++];
      if (next instanceof Error) throw next;
      if (next !== undefined) return new Response(next);
      end.resolve('used up');
      return new Promise(() => undefined);
    },
    onOpen: () => undefined,
    onLine: (line) => seen.lines.push(line),
    onRefused: end.resolve,
    wait: async (ms) => {
      seen.waits.push(ms);
    },
    visibility: { onLongHidden: () => () => undefined, whenVisible: async () => undefined },
  };
  const subscription = followEvents(options).subscribe({
    next: (event: BaseEvent) => seen.ids.push(event.rawEvent.id),
    error: end.resolve,
  });
  const result = await end.promise;
  subscription.unsubscribe();
  return { ...seen, result };
}

const frame = (id: string) => `id: ${id}\ndata: {"type":"CUSTOM"}\n\n`;

describe('followEvents', () => {
  it('continues after the last frame that it has', async () => {
    const seen = await run({ connections: [frame('t.1.0.0') + frame('t.1.1.0'), frame('t.1.2.0'), ''] });
    expect(seen.ids).toEqual(['t.1.0.0', 't.1.1.0', 't.1.2.0']);
    expect(seen.lastIds).toEqual([undefined, 't.1.1.0', 't.1.2.0', 't.1.2.0']);
  });

  it('waits longer after each failure, at most eight seconds, and begins again after a success', async () => {
    const down = () => new TypeError('Failed to fetch');
    const seen = await run({ connections: [...Array.from({ length: 8 }, down), frame('t.1.0.0'), down()] });
    expect(seen.waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 250, 500]);
    expect(seen.lines.slice(0, 5)).toEqual(['behind', 'behind', 'behind', 'gone', 'gone']);
    expect(seen.lines.slice(8)).toEqual(['live', 'behind', 'behind']);
  });

  it('keeps half a frame of a broken connection back', async () => {
    const seen = await run({ connections: [`${frame('t.1.0.0')}id: t.1.1.0\ndata: {"ty`, frame('t.1.1.0')] });
    expect(seen.ids).toEqual(['t.1.0.0', 't.1.1.0']);
    expect(seen.lastIds[1]).toBe('t.1.0.0');
  });

  it('gives up when the conversation is not there or the token is refused', async () => {
    for (const status of [401, 404]) {
      const problem = new ServerProblem(status, 'x', 'refused');
      expect((await run({ connections: [problem] })).result).toBe(problem);
    }
  });
});

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
