import { deflateSync } from 'node:zlib';
import { decodePng } from '../../src/files/picture/decode-png.ts';
import { buildPng } from './build-png.ts';
import { fixture } from './read-fixture.ts';

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
