import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildPng } from '../../../test/files/build-png.ts';
import { fixture } from '../../../test/files/read-fixture.ts';
import { decodePng } from './decode-png.ts';
import { createRecognizer } from './ocr.ts';

/** The head of the letter, its ink black and its paper clear: with a palette, or with 16 bits a sample. */
async function writtenOnNothing(type: number): Promise<Buffer> {
  const letter = await decodePng(fixture('letter-300dpi.png'));
  if (!letter) throw new Error('the letter is not plain');
  const { width } = letter;
  const height = 700;
  const pixel = (isInk: boolean) =>
    type === 3 ? [Number(isInk)] : [0, 0, 0, 0, 0, 0, ...(isInk ? [255, 255] : [0, 0])];
  const rows = Array.from({ length: height }, (_, y) => {
    const shades = letter.data.subarray(y * width, (y + 1) * width);
    return Buffer.from([0, ...Array.from(shades, (shade) => pixel(shade < 128)).flat()]);
  });
  const data = deflateSync(Buffer.concat(rows));
  const kind = type === 3 ? { palette: [0, 0, 0, 0, 0, 0], transparent: [0, 255] } : { depth: 16 };
  return buildPng({ width, height, type, data, ...kind });
}

describe('createRecognizer', () => {
  it('reads the same whether a page is read whole or in parts at once', { timeout: 60_000 }, async () => {
    const page = fixture('letter-300dpi.png');
    const read = (pixels: number) => createRecognizer({ languages: ['eng'], pixels }).readFile(page, 1);
    const [whole, parts] = [await read(1), await read(9_000_000)];
    expect(parts).toBe(whole);
  });

  it.each([3, 6])('reads black letters on nothing (PNG of type %i)', { timeout: 60_000 }, async (type) => {
    const { readFile } = createRecognizer({ languages: ['eng'], pixels: 1 });
    expect(await readFile(await writtenOnNothing(type), 1)).toMatch(/^Harbor Lights Trading Company/);
  });

  it('turns a picture upright as its camera says', { timeout: 60_000 }, async () => {
    const { readFile } = createRecognizer({ languages: ['eng'], pixels: 1 });
    expect(await readFile(fixture('note.jpg'), 1)).toMatch(/^Delivery note 4711/);
    expect(await readFile(fixture('note.jpg'), 3)).not.toMatch(/Delivery/);
  });
});
