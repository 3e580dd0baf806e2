import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/files/read-fixture.ts';
import { imageOrientation, imageSize } from './image-size.ts';

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
