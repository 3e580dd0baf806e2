import { randomBytes } from 'node:crypto';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { MimeType } from '../../src/schema/file.ts';
import { buildDocx, buildPptx, buildXlsx, paragraph, shape } from '../../test/files/build-office.ts';
import { buildPdf, pageObject, toRawStream, toStream, writePdf } from '../../test/files/build-pdf.ts';
import { fixture } from '../../test/files/read-fixture.ts';

export interface SentFile {
  name: string;
  mime_type: MimeType;
  bytes: Buffer;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TEN_MB = 10_000_000;
/** The compression ratio of random words. */
const PACKED = 0.78;

/** Ten files of about ten megabytes each, of every kind; together the maximum of a message. */
export async function tenLargeFiles(): Promise<SentFile[]> {
  const text = words(TEN_MB);
  const packed = words(Math.floor(TEN_MB / PACKED));
  return [
    { name: 'a.txt', mime_type: 'text/plain', bytes: Buffer.from(text) },
    { name: 'b.csv', mime_type: 'text/csv', bytes: Buffer.from(text.replaceAll(' ', ',')) },
    { name: 'c.md', mime_type: 'text/markdown', bytes: Buffer.from(text) },
    { name: 'd.docx', mime_type: `${OFFICE}.wordprocessingml.document`, bytes: largeDocx(packed) },
    { name: 'e.xlsx', mime_type: `${OFFICE}.spreadsheetml.sheet`, bytes: largeXlsx(packed) },
    { name: 'f.pptx', mime_type: `${OFFICE}.presentationml.presentation`, bytes: largePptx(packed) },
    { name: 'g.pdf', mime_type: 'application/pdf', bytes: largePdf() },
    { name: 'h.pdf', mime_type: 'application/pdf', bytes: largePdf() },
    { name: 'i.png', mime_type: 'image/png', bytes: await scannedPage('png') },
    { name: 'j.jpg', mime_type: 'image/jpeg', bytes: await scannedPage('jpeg') },
  ];
}

/** A text of fifty full pages. */
export function fiftyPages(): Buffer {
  return buildPdf(Array.from({ length: 50 }, () => linesOf(words(3_000)).join('\n')));
}

/** Full pages as a scanner produces them. */
export async function scannedPages(count: number): Promise<Buffer> {
  const page = await loadImage(fixture('letter-300dpi.png'));
  const canvas = createCanvas(page.width, page.height);
  canvas.getContext('2d').drawImage(page, 0, 0);
  return buildScannedPdf(
    Array(count).fill({ jpeg: await canvas.encode('jpeg', 85), width: page.width, height: page.height }),
  );
}

function words(chars: number): string {
  return randomBytes(Math.ceil(chars * 0.75))
    .toString('base64')
    .replace(/[+/=]/g, ' ')
    .replace(/(.{60})/g, '$1\n')
    .slice(0, chars);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function largeDocx(text: string): Buffer {
  return buildDocx(
    linesOf(text)
      .map((line) => paragraph(line))
      .join(''),
  );
}

function largeXlsx(text: string): Buffer {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  return buildXlsx({
    Data: linesOf(text)
      .map((line) => `<row>${line.split(' ').map(cell).join('')}</row>`)
      .join(''),
  });
}

function largePptx(text: string): Buffer {
  const lines = linesOf(text);
  const slides = Array.from({ length: 400 }, (_, index) => lines.slice(index * 500, index * 500 + 500));
  return buildPptx(slides.filter((part) => part.length > 0).map((part) => ({ shapes: shape(part.join('\n')) })));
}

function largePdf(): Buffer {
  return buildPdf(Array.from({ length: 1_100 }, () => linesOf(words(7_500)).join('\n')));
}

/** A page as a scanner produces it: the letter on paper that is not quite white. */
async function scannedPage(format: 'png' | 'jpeg'): Promise<Buffer> {
  const page = await loadImage(fixture('letter-300dpi.png'));
  const canvas = createCanvas(page.width, page.height);
  const context = canvas.getContext('2d');
  context.drawImage(page, 0, 0);
  const image = context.getImageData(0, 0, page.width, page.height);
  const grain = randomBytes(image.data.length);
  for (let at = 0; at < image.data.length; at++) {
    if (at % 4 !== 3) image.data[at] = Math.max(0, (image.data[at] ?? 0) - ((grain[at] ?? 0) & GRAIN[format]));
  }
  context.putImageData(image, 0, 0);
  return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg', 98);
}

/** Noise levels that make each file about ten megabytes. */
const GRAIN = { png: 3, jpeg: 63 };

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
