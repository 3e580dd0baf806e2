import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPng } from '../../../test/files/build-png.ts';
import { decodePng } from './decode-png.ts';

const png = (type: number, rows: readonly number[][], width: number, extra = {}) =>
  buildPng({ width, height: rows.length, type, data: deflateSync(Buffer.from(rows.flat())), ...extra });

describe('decodePng', () => {
  it.each([
    ['grey', 0, [0, 200]],
    ['colours', 2, [255, 0, 0, 9, 9, 9]],
    ['grey on white paper', 4, [0, 255, 0, 51]],
    ['colours on white paper', 6, [0, 255, 0, 255, 0, 0, 0, 0]],
  ])('reads %s', async (_, type, pixels) => {
    const shades = { 0: [0, 200], 2: [76, 9], 4: [0, 204], 6: [149, 255] }[type] ?? [];
    expect(await decodePng(png(type, [[0, ...pixels]], 2))).toEqual({
      width: 2,
      height: 1,
      data: Uint8Array.from(shades),
    });
  });

  it('reads a palette', async () => {
    const bytes = png(3, [[0, 1, 0]], 2, { palette: [0, 0, 0, 255, 255, 255] });
    expect((await decodePng(bytes))?.data).toEqual(Uint8Array.from([255, 0]));
  });

  it('undoes every filter', async () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ minLength: 12, maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        const plain = rows.map(([, pixels]) => [...pixels]);
        const filtered = rows.map(([filter], index) => [
          filter,
          ...filterRow(filter, plain[index] ?? [], plain[index - 1]),
        ]);
        const decoded = await decodePng(png(0, filtered, 12));
        expect([...(decoded?.data ?? [])]).toEqual(plain.flat());
      }),
    );
  });

  it('leaves the rarer kinds to others', async () => {
    const rare = [{ depth: 1 }, { depth: 16 }, { interlace: 1 }, { transparent: [0, 0] }];
    const decoded = await Promise.all(rare.map((extra) => decodePng(png(0, [[0, 1]], 1, extra))));
    expect(decoded).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each([
    ['rows are missing', deflateSync(Buffer.from([0, 1]))],
    ['what is packed is damaged', Buffer.from('no deflate')],
    ['a filter is unknown', deflateSync(Buffer.from([9, 1, 9, 1]))],
  ])('refuses it when %s', async (_, data) => {
    await expect(decodePng(buildPng({ width: 1, height: 2, type: 0, data }))).rejects.toThrow('cannot be decoded');
  });

  /** The effect of each filter of the format, with one byte a pixel. */
  function filterRow(filter: number, row: readonly number[], above: readonly number[] = []): number[] {
    return row.map((value, at) => {
      const [left, up, corner] = [row[at - 1] ?? 0, above[at] ?? 0, at === 0 ? 0 : (above[at - 1] ?? 0)];
      const near = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      );
      return (value - ([0, left, up, (left + up) >> 1, near[0] ?? 0][filter] ?? 0)) & 255;
    });
  }
});
