import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openZip } from '../../src/files/office/zip.ts';
import { buildQuine } from './build-quine.ts';

describe('buildQuine', () => {
  const quine = buildQuine('word/document.xml');

  it('is an archive that holds itself, and so on without end', async () => {
    const inside = await openZip(quine).read('word/document.xml');
    expect(inside?.equals(quine)).toBe(true);
  });

  it('contains its own sizes and checksum', () => {
    const packed = quine.readUInt32LE(18);
    const start = 30 + quine.readUInt16LE(26) + quine.readUInt16LE(28);
    const inflated = inflateRawSync(quine.subarray(start, start + packed));
    expect([quine.readUInt32LE(22), quine.readUInt32LE(14)]).toEqual([inflated.length, crc32(inflated)]);
  });
});
