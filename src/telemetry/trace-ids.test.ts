import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulidToUuid } from '../schema/ids.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { rootSpanId, spanIdOf, traceIdOf } from './trace-ids.ts';

describe('traceIdOf', () => {
  it('has the same 128 bits as the turn', () => {
    for (const id of [...Array.from({ length: 100 }, newUlid), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '0'.repeat(26)]) {
      expect(traceIdOf(id)).toBe(ulidToUuid(id).replaceAll('-', ''));
    }
  });
});

describe('ids of spans', () => {
  it('are always 16 digits, and differ for each attempt at a turn', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (attempt) => {
        const traceId = traceIdOf(newUlid());
        expect([rootSpanId(traceId, attempt), spanIdOf(traceId, 'step 1')]).toEqual(
          Array(2).fill(expect.stringMatching(/^[0-9a-f]{16}$/)),
        );
        expect(spanIdOf(traceId, 'step 1')).not.toBe(spanIdOf(traceId, 'step 2'));
        expect(rootSpanId(traceId, attempt)).not.toBe(rootSpanId(traceId, attempt + 1));
      }),
    );
  });
});
