import { describe, expect, it } from 'vitest';
import { buildPdf, pageObject, toStream, writePdf } from '../../test/files/build-pdf.ts';
import { runConverter } from '../../test/files/read-fixture.ts';
import { convertPdf } from './convert-pdf.ts';

describe('convertPdf', () => {
  it('marks pages, and leaves out those without text', async () => {
    const { text, size } = await runConverter(convertPdf, buildPdf(['first\nsecond line', '', 'third']));
    expect({ text, size }).toEqual({ text: '[Page 1]\nfirst\nsecond line\n\n[Page 3]\nthird', size: '3 pages' });
  });

  it('reads on after a page whose content cannot be decoded', async () => {
    const bytes = writePdf({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [5 0 R 42 0 R 7 0 R] /Count 3 >>',
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      42: pageObject(43),
      43: '<< /Length 3 /Filter /Nothing >>\nstream\nabc\nendstream',
      5: pageObject(6),
      6: toStream(Buffer.from('BT /F1 12 Tf 9 9 Td (one) Tj ET')),
      7: pageObject(8),
      8: toStream(Buffer.from('BT /F1 12 Tf 9 9 Td (three) Tj ET')),
    });
    expect(await runConverter(convertPdf, bytes)).toEqual({
      text: '[Page 1]\none\n\n[Page 3]\nthree',
      size: '3 pages',
      left: [],
    });
  });

  it('stops when time or room is over, and says which pages are missing', async () => {
    const bytes = buildPdf(['a', 'b', 'c']);
    const { size, left } = await runConverter(convertPdf, bytes, { emit: () => false });
    expect({ size, left }).toEqual({ size: '0 of 3 pages', left: ['pages 1 to 3 were left out'] });
  });
});
