import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  buildOwnerPasswordPdf,
  buildPdf,
  pageObject,
  toRawStream,
  toStream,
  writePdf,
} from '../../../test/files/build-pdf.ts';
import { runConverter } from '../../../test/files/read-fixture.ts';
import { convertPdf, shortenPages } from './convert-pdf.ts';

const UNDECODED = 'page 2 is damaged: its content cannot be decoded';
const PICTURE = '/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8';
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const UNKNOWN_FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /None /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /None /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>] >>';

interface MiddlePage {
  content: Buffer;
  picture?: Buffer;
  font?: string;
}

function threePages({ content, picture, font = HELVETICA }: MiddlePage): Buffer {
  const text = (words: string) => toStream(Buffer.from(`BT /F2 12 Tf 9 9 Td (${words}) Tj ET`));
  const page = (contents: number) => pageObject(contents, '/XObject << /I 12 0 R >>').replace('/F1', '/F2 4 0 R /F1');
  return writePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [5 0 R 7 0 R 9 0 R] /Count 3 >>',
    3: font,
    4: HELVETICA,
    5: page(6),
    6: text('one'),
    7: page(8),
    8: content,
    9: page(10),
    10: text('three'),
    ...(picture && { 12: picture }),
  });
}

describe('convertPdf', () => {
  it('marks pages, and leaves out those without text', async () => {
    const { text, size } = await runConverter(convertPdf, buildPdf(['first\nsecond line', '', 'third']));
    expect({ text, size }).toEqual({ text: '[Page 1]\nfirst\nsecond line\n\n[Page 3]\nthird', size: '3 pages' });
  });

  describe('with a page in the middle that cannot be read', () => {
    const around = (left: string[], middle = '') => ({
      text: `[Page 1]\none\n\n${middle === '' ? '' : `[Page 2]\n${middle}\n\n`}[Page 3]\nthree`,
      size: '3 pages',
      left,
    });
    const damaged = deflateSync(Buffer.from('BT /F1 12 Tf 9 9 Td (two) Tj ET'.repeat(20))).fill(0xff, 2, 30);
    const noJpeg = toRawStream('no picture', `${PICTURE} /Width 1000 /Height 1000 /Filter /DCTDecode`);
    const white = toStream(new Uint8Array(400 * 400).fill(255), `${PICTURE} /Width 400 /Height 400`);
    const SHOW = toStream(Buffer.from('q 500 0 0 500 40 40 cm /I Do Q'));
    const CODES = toStream(Buffer.from('BT /F1 12 Tf 9 9 Td <00010002000300040005> Tj ET'));

    it.each<[string, MiddlePage, string[]]>([
      ['nothing is on it', { content: toStream(Buffer.from('')) }, []],
      ['packed in an unknown way', { content: toRawStream('abc', '/Filter /Nothing') }, [UNDECODED]],
      ['not packed as it says', { content: toRawStream('no deflate', '/Filter /FlateDecode') }, [UNDECODED]],
      ['damaged', { content: toRawStream(damaged, '/Filter /FlateDecode') }, [UNDECODED]],
      [
        'letters without a meaning',
        { content: CODES, font: UNKNOWN_FONT },
        ['page 2 has letters whose font does not say what they are'],
      ],
      ['a damaged picture', { content: SHOW, picture: noJpeg }, ['page 2 has a picture that cannot be decoded']],
      [
        'a picture without text',
        { content: SHOW, picture: white },
        ['no text was found on page 2, which is a picture'],
      ],
    ])('reads on and says why: %s', async (_, middle, left) => {
      expect(await runConverter(convertPdf, threePages(middle))).toEqual(around(left));
    });

    it('keeps what it could read of it', async () => {
      const content = toRawStream('BT /F1 12 Tf 9 9 Td (two) Tj (and an end that is miss', '');
      const left = ['page 2 is damaged: only a part of it can be decoded'];
      expect(await runConverter(convertPdf, threePages({ content }))).toEqual(around(left, 'two'));
    });
  });

  it('reads a file that is protected against changes only', async () => {
    const { text, left } = await runConverter(convertPdf, buildOwnerPasswordPdf('open to readers'));
    expect({ text, left }).toEqual({ text: '[Page 1]\nopen to readers', left: [] });
  });

  it('says so when it is protected in an unknown way', async () => {
    const trailer = '/Encrypt << /Filter /Adobe.PubSec /V 2 >> /ID [<00> <00>]';
    await expect(runConverter(convertPdf, buildPdf(['secret'], { trailer }))).rejects.toThrow(
      'is protected in a way that is not known here',
    );
  });

  it('stops when time or room is over, and says which pages are missing', async () => {
    const bytes = buildPdf(['a', 'b', 'c']);
    const { size, left } = await runConverter(convertPdf, bytes, { emit: () => false });
    expect({ size, left }).toEqual({ size: '0 of 3 pages', left: ['pages 1 to 3 were left out'] });
  });
});

describe('shortenPages', () => {
  it('blanks what a list has beyond so many entries, and tells how many it had', () => {
    const file = Buffer.from('<< /Kids [5 0 R 7 0 R\n9 0 R] /Count 3 >>');
    expect([shortenPages(file, 2), file.toString()]).toEqual([3, '<< /Kids [5 0 R 7 0 R      ] /Count 3 >>']);
  });

  it('leaves a file alone whose lists are short, or no lists', () => {
    const files = [
      buildPdf(['a', 'b']),
      Buffer.from('/Kids'),
      Buffer.from('/Kids 5 0 R [1 R 2 R 3 R]'),
      Buffer.from('/Kids [1 R 2 R 3 R'),
    ];
    const before = files.map((file) => file.toString('latin1'));
    expect(files.map((file) => shortenPages(file, 2))).toEqual([0, 0, 0, 0]);
    expect(files.map((file) => file.toString('latin1'))).toEqual(before);
  });
});
