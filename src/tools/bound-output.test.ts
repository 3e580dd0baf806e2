import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolError } from '../schema/conversation/tool-call.ts';
import { boundError, boundResult, MAX_RESULT_BYTES } from './bound-output.ts';

describe('boundResult', () => {
  it('keeps a result that fits, and turns undefined into null', () => {
    expect([boundResult({ a: 1 }), boundResult(undefined)]).toEqual([{ a: 1 }, null]);
  });

  it('keeps a large result at a megabyte as its text', () => {
    const result = boundResult({ text: '"'.repeat(2_000_000) });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(result).toMatch(/^\{"text":"(\\")+\\?\n\[\d+ of 4000011 characters left out\]$/);
  });

  it('never exceeds the limit in bytes as JSON', () => {
    const value = fc.oneof(fc.string({ unit: 'binary', minLength: 50 }), fc.array(fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(value, fc.integer({ min: 60, max: 200 }), (result, maxBytes) => {
        expect(Buffer.byteLength(JSON.stringify(boundResult(result, maxBytes)))).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });
});

describe('boundError', () => {
  it('makes a readable error of any value that a foreign tool sent', () => {
    const foreign = { error_type: 'Weird', message: '\u001b[31m \n', details: { a: '\u0007' } } as unknown as ToolError;
    expect(boundError(foreign)).toEqual({
      error_type: 'ToolInvocationError',
      message: 'The tool failed without giving a reason.',
      details: { a: '' },
    });
  });

  it('cuts a long message', () => {
    const { message } = boundError({ error_type: 'Timeout', message: 'x'.repeat(9000) });
    expect(message).toMatch(/^x+\n\[\d+ of 9000 characters left out\]$/);
    expect(message.length).toBeLessThanOrEqual(2000);
  });
});
