import { crc32, deflateSync } from 'node:zlib';
import { decodePng } from '../../src/files/picture/decode-png.ts';
import { fixture } from './read-fixture.ts';

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

const ROWS = { from: 740, to: 815 };
const MARGIN = 200;

interface FullPage {
  png: Buffer;
  /** The text of each line. */
  line: string;
  count: number;
}

/** An A4 page at 300 dpi (2480 × 3508 pixels), full of one line of the letter. */
export async function fullPage(): Promise<FullPage> {
  const letter = await decodePng(fixture('letter-300dpi.png'));
  if (!letter) throw new Error('the letter is not plain');
  const { width, height, data } = letter;
  const page = Buffer.alloc(width * height, 255);
  const line = data.subarray(ROWS.from * width, ROWS.to * width);
  const count = Math.floor((height - 2 * MARGIN) / (ROWS.to - ROWS.from));
  for (let index = 0; index < count; index++) page.set(line, MARGIN * width + index * line.length);
  const rows = Array.from({ length: height }, (_, y) => [Buffer.of(0), page.subarray(y * width, (y + 1) * width)]);
  const png = buildPng({ width, height, type: 0, data: deflateSync(Buffer.concat(rows.flat())) });
  return { png, line: 'Thank you for your order of 12 March. The forty boxes of recycled paper left our', count };
}
