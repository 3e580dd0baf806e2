import { describe, expect, it } from 'vitest';
import type { Origin } from '../origin.ts';
import { createSdkReply } from './ai-sdk-reply.ts';
import type { StreamPart } from './ai-sdk-types.ts';

const ORIGIN: Origin = { provider: 'anthropic', model: 'm', host: 'h', headerValues: [] };
const call = (id: string, input: string): StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'echo',
  input,
});

function readAll(parts: StreamPart[], maxChars: number) {
  const reply = createSdkReply({ origin: ORIGIN, label: 'l', date: () => new Date(0), mayBeEmpty: false, maxChars });
  const chunks = parts.flatMap((part) => (reply.isCut() ? [] : (reply.read(part) ?? [])));
  return { chunks: [...chunks, ...(reply.isCut() ? reply.finish() : [])], isCut: reply.isCut() };
}

describe('a reply of a provider package', () => {
  it('is cut where its text becomes too long, and ends as length', () => {
    const text = (delta: string): StreamPart => ({ type: 'text-delta', id: '1', delta });
    expect(readAll([text('abc'), text('def'), text('ghi')], 5)).toEqual({
      chunks: [
        { type: 'text', text: 'abc' },
        { type: 'text', text: 'de' },
        { type: 'finish', reason: 'length' },
      ],
      isCut: true,
    });
  });

  it('counts arguments once, whether they come in parts or whole, and keeps the calls before the cut', () => {
    const part = (id: string, delta: string): StreamPart => ({ type: 'tool-input-delta', id, delta });
    const parts = [part('a', '{"x"'), part('a', ':1}'), call('a', '{"x":1}'), call('b', '{"x":2}')];
    expect(readAll(parts, 22)).toEqual({ chunks: [], isCut: false });
    expect(readAll(parts, 21).chunks.map(({ type }) => type)).toEqual(['tool-call', 'finish']);
  });

  it('counts reasoning', () => {
    const parts: StreamPart[] = [{ type: 'reasoning-delta', id: '1', delta: 'hmm' }];
    expect(readAll(parts, 2).chunks).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'finish', reason: 'length' },
    ]);
  });
});
