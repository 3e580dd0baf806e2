import { describe, expect, it } from 'vitest';
import { keepCalls, keepMetadata } from './kept-metadata.ts';

const thought = { type: 'reasoning', text: 'hm' };
const call = { type: 'call' };

describe('keepCalls', () => {
  it('removes calls by position and keeps the rest of the reply', () => {
    const calls = [{ id: 'a', extra: 'signed' }, { id: 'b' }, { id: 'c' }];
    const before = { note: 1, ...keepMetadata('model', { calls, parts: [thought, call, call, thought, call] }) };
    expect(keepCalls(before, (index) => index === 1)).toEqual({
      note: 1,
      ...keepMetadata('model', { calls: [{ id: 'b' }], parts: [thought, call, thought] }),
    });
  });

  it('changes nothing if no model stored anything', () => {
    expect(keepCalls({ note: 1 }, () => false)).toEqual({ note: 1 });
  });
});
