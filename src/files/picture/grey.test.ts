import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropRows, shrink, toPgm, turnUpright } from './grey.ts';

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
