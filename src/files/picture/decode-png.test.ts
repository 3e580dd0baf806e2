import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPng } from '../../../test/files/build-png.ts';
import { fixture } from '../../../test/files/read-fixture.ts';
import { decodePng } from './decode-png.ts';
import { cropRows, shrink, toPgm, turnUpright } from './grey.ts';
import { imageOrientation, imageSize } from './image-size.ts';

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

describe('shrink', () => {
  it('gives each pixel the mean of what it covers', () => {
    const grey = { width: 4, height: 2, data: Uint8Array.from([0, 10, 20, 30, 40, 50, 60, 70]) };
    expect(shrink(grey, { across: 0.5, down: 0.5 })).toEqual({ width: 2, height: 1, data: Uint8Array.from([25, 45]) });
    expect(shrink(grey, { across: 0.25, down: 1 })).toEqual({ width: 1, height: 2, data: Uint8Array.from([15, 55]) });
  });

  it('never changes an even shade', () => {
    const sizes = { width: fc.integer({ min: 1, max: 60 }), height: fc.integer({ min: 1, max: 60 }) };
    const share = fc.double({ min: 0.3, max: 1, noNaN: true });
    const even = fc.record({ ...sizes, shade: fc.nat(255), across: share, down: share });
    fc.assert(
      fc.property(even, ({ width, height, shade, ...scale }) => {
        const { data } = shrink({ width, height, data: new Uint8Array(width * height).fill(shade) }, scale);
        expect(data.every((value) => value === shade)).toBe(true);
      }),
    );
  });
});

describe('turnUpright', () => {
  // Two columns and three rows: 1 2 / 3 4 / 5 6.
  const grey = { width: 2, height: 3, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) };

  it.each([
    [1, 2, [1, 2, 3, 4, 5, 6]],
    [2, 2, [2, 1, 4, 3, 6, 5]],
    [3, 2, [6, 5, 4, 3, 2, 1]],
    [4, 2, [5, 6, 3, 4, 1, 2]],
    [5, 3, [1, 3, 5, 2, 4, 6]],
    [6, 3, [5, 3, 1, 6, 4, 2]],
    [7, 3, [6, 4, 2, 5, 3, 1]],
    [8, 3, [2, 4, 6, 1, 3, 5]],
  ])('puts orientation %i right', (orientation, width, pixels) => {
    expect(turnUpright(grey, orientation)).toEqual({ width, height: 6 / width, data: Uint8Array.from(pixels) });
  });
});

describe('cropRows', () => {
  it('takes some rows', () => {
    const grey = { width: 2, height: 3, data: Uint8Array.from([1, 2, 3, 4, 5, 6]) };
    expect(cropRows(grey, 1, 3)).toEqual({ width: 2, height: 2, data: Uint8Array.from([3, 4, 5, 6]) });
  });
});

describe('toPgm', () => {
  it('writes the pixels behind a short header', () => {
    expect(Buffer.from(toPgm({ width: 1, height: 1, data: Uint8Array.of(65) })).toString()).toBe('P5\n1 1\n255\nA');
  });
});

describe('imageSize', () => {
  it.each([
    ['letter-300dpi.png', { width: 2480, height: 3508 }],
    ['note.jpg', { width: 1400, height: 500 }],
    ['note.gif', { width: 1400, height: 500 }],
    ['note.webp', { width: 1400, height: 500 }],
  ])('reads the header of %s', (name, size) => {
    expect(imageSize(fixture(name))).toEqual(size);
  });

  it('never throws and never hangs, whatever follows the first bytes', () => {
    const Start = fc.constantFrom(0x89, 0xff, 0x47, 0x52);
    fc.assert(
      fc.property(Start, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
        imageSize(Buffer.from([start, 0xd8, ...rest]));
        imageOrientation(Buffer.from([0xff, 0xd8, ...Buffer.from('Exif\0\0'), ...rest]));
      }),
    );
  });
});

describe('imageOrientation', () => {
  it('finds how the camera was held', () => {
    const entry = Buffer.from('49492a00080000000100120103000100000006000000', 'hex');
    expect(imageOrientation(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from('Exif\0\0', 'latin1'), entry]))).toBe(
      6,
    );
    expect(imageOrientation(fixture('note.jpg'))).toBe(1);
  });
});
