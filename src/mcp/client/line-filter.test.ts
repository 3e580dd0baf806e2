import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../clock.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createOutputBudget } from './budget.ts';
import { createLineFilter } from './line-filter.ts';

const clock = createFakeClock();
const texts = (lines: Buffer[]) => lines.map((line) => line.toString());
const note = (n: number) => `{"jsonrpc":"2.0","method":"note","params":${n}}`;

describe('createLineFilter', () => {
  it('gives the same lines however the bytes are cut', () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 8 }), cuts, (parts, sizes) => {
        const lines = parts.map((part) => part.replaceAll('\n', ' '));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const filter = createLineFilter({ clock });
        const ends = [...new Set([...sizes, bytes.length])].filter((end) => end <= bytes.length).sort((a, b) => a - b);
        const seen = ends.flatMap((end, i) => texts(filter.push(bytes.subarray(ends[i - 1] ?? 0, end))));
        expect(seen).toEqual(lines);
      }),
    );
  });

  it('keeps what stands after the last newline until it is asked for', () => {
    const filter = createLineFilter({ clock });
    expect([texts(filter.push(Buffer.from('one\ntwo'))), texts(filter.flush())]).toEqual([['one'], ['two']]);
  });

  it.each([
    ['at its end', (filler: string) => `{"result":{"text":"${filler}"},"jsonrpc":"2.0","id":7}`],
    ['at its start', (filler: string) => `{"jsonrpc":"2.0","id":7,"result":{"text":"${filler}"}}`],
  ])('answers a call with an error when the answer is too long and names it %s', (_where, build) => {
    const filter = createLineFilter({ clock, maxLineBytes: 1_000 });
    const line = Buffer.from(`${build('x'.repeat(5_000))}\n{"id":8,"result":{}}\n`);
    const seen = [line.subarray(0, 600), line.subarray(600, 4_000), line.subarray(4_000)].flatMap((part) =>
      texts(filter.push(part)),
    );
    expect(seen.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: expect.stringContaining('larger than') } },
      { id: 8, result: {} },
    ]);
  });

  it('lets answers through a flood of what nobody asked for, and counts what it drops', () => {
    const filter = createLineFilter({ clock });
    const flood = Array.from({ length: 1_000 }, (_, n) => note(n)).join('\n');
    const seen = texts(filter.push(Buffer.from(`${flood}\n{"id":1,"result":{}}\n`)));
    expect([seen.length, seen.at(-1), filter.dropped]).toEqual([201, '{"id":1,"result":{}}', 800]);
  });

  it('lets messages through again when time has passed', async () => {
    const moving = createFakeClock();
    const filter = createLineFilter({ clock: moving });
    const push = () => filter.push(Buffer.from(`${note(1)}\n`)).length;
    const first = Array.from({ length: 300 }, push).reduce((sum, count) => sum + count);
    await moving.advance(1_000);
    expect([first, Array.from({ length: 300 }, push).reduce((sum, count) => sum + count)]).toEqual([200, 50]);
  });

  it('looks only at lines with the prefix, so that an event stream keeps its shape', () => {
    const filter = createLineFilter({ clock, prefix: 'data:' });
    const events = Array.from({ length: 300 }, (_, n) => `event: message\ndata: ${note(n)}\n\n`).join('');
    const seen = texts(filter.push(Buffer.from(events)));
    expect([seen.filter((line) => line.startsWith('data:')).length, seen.length]).toEqual([200, 800]);
  });
});

describe('budget', () => {
  it('lets a server send 256 MB at once and 50 MB in each second after that', async () => {
    const clock = createFakeClock();
    const output = createOutputBudget(clock, DEFAULT_LIMITS);
    const first = [output.take(256_000_000), output.take(1)];
    await clock.advance(1_000);
    const second = [output.take(50_000_000), output.take(1)];
    await clock.advance(60_000);
    const rested = [output.take(256_000_000), output.take(1)];
    expect([first, second, rested]).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
  });
});
