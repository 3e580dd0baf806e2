import { describe, expect, it } from 'vitest';
import { readOutput, readUnreached } from './start-failure.ts';

describe('readOutput', () => {
  it('keeps the error above a long stack trace', () => {
    const trace = Array.from({ length: 12 }, (_, index) => `    at step${index} (node:internal:${index})`);
    const output = readOutput(
      ['throw err;', "Error: Cannot find module '/x/nothere.js'", ...trace, 'Node.js v24'].join('\n'),
    );
    expect(output).toHaveLength(8);
    expect([output[0], output.at(-1)]).toEqual(["Error: Cannot find module '/x/nothere.js'", 'Node.js v24']);
  });

  it('keeps the end where that holds the error', () => {
    const output = readOutput([...Array(20).fill('  File "x.py", line 1'), 'ValueError: no key'].join('\n'));
    expect([output.length, output.at(-1)]).toEqual([8, 'ValueError: no key']);
  });
});

describe('readUnreached', () => {
  it('names the address and the cause, and no secret', async () => {
    const url = new URL('http://me:secret@127.0.0.1:1/mcp?key=secret');
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new Error('probe failed', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(readUnreached(error, url)).toEqual(['nothing listens at 127.0.0.1:1']);
    expect(readUnreached(new Error('other'), url)).toEqual([]);
  });
});
