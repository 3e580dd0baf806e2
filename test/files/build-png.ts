import { crc32 } from 'node:zlib';

export interface PngParts {
  width: number;
  height: number;
  /** 0 grey, 2 colours, 3 palette, 4 and 6 with alpha. */
  type: number;
  /** Packed rows. */
  data: Uint8Array;
  depth?: number;
  interlace?: number;
  palette?: readonly number[];
  transparent?: readonly number[];
}

/** Builds a PNG, even one that no program would write. */
export function buildPng({
  width,
  height,
  type,
  data,
  depth = 8,
  interlace = 0,
  palette,
  transparent,
}: PngParts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', Uint8Array.from(palette))] : []),
    ...(transparent ? [chunk('tRNS', Uint8Array.from(transparent))] : []),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
