import { pageObject, toRawStream, toStream, writePdf } from '../../test/files/build-pdf.ts';

interface ScannedPage {
  jpeg: Uint8Array;
  width: number;
  height: number;
}

/** A PDF whose pages are pictures. */
export function buildScannedPdf(pages: readonly ScannedPage[]): Buffer {
  const numbers = pages.map((_, index) => 3 + index * 3);
  const objects: Record<number, string | Buffer> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
  };
  for (const [index, number] of numbers.entries()) {
    const { jpeg, width, height } = pages[index] ?? { jpeg: new Uint8Array(), width: 0, height: 0 };
    objects[number] = pageObject(number + 1, `/XObject << /I ${number + 2} 0 R >>`);
    objects[number + 1] = toStream(Buffer.from('q 595 0 0 842 0 0 cm /I Do Q'));
    objects[number + 2] = toRawStream(
      jpeg,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    );
  }
  return writePdf(objects);
}
