/**
 * Creates the pictures and texts in test/fixtures/files: pages of text at 300 dpi in each picture format, a scan inside
 * a PDF, and texts in old encodings. Needs the DejaVu fonts. Run: node scripts/make-fixtures.ts
 *
 * The documents beside them are as other programs write them: `report.docx` by docx 9, `slides.pptx` by PptxGenJS 4,
 * `numbers.xlsx` by write-excel-file 4, `invoice.pdf` by pdf-lib 1.17. `expected.txt` has the text that is read of each.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Canvas, createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { pageObject, toStream, writePdf } from '../test/files/build-pdf.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'fixtures', 'files');
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';
/** A4 at 300 dpi. */
const PAGE = { width: 2480, height: 3508 };

const LETTER = `Harbor Lights Trading Company
14 Canal Street, Rivertown

Dear Ms. Alvarez,

Thank you for your order of 12 March. The forty boxes of recycled paper left our
warehouse on Tuesday and should reach your office before the end of the week. As we
agreed on the telephone, the remaining twenty boxes will follow in the first days of
April, because the mill is closed for its yearly repairs until then.

The invoice for the whole order is enclosed. Please note that the price for each box
has changed from 18.50 to 17.90 since your last order; we have already taken the
difference into account. The total of 1074.00 is due within thirty days.

If a box should arrive damaged, keep the packing and call our service desk between
eight and five. Our driver collects broken goods every Thursday, and you will have a
replacement within two working days. There is no need to fill in a form.

We would also like to invite you to the opening of our new showroom on Friday, 9 May,
at four in the afternoon. You will find samples of every paper that we sell, and the
people who make it will be there to answer questions. A short reply by mail would
help us to plan, but you are welcome without one.

With kind regards,
Thomas Whitfield
Head of Customer Service`;

const NOTE = 'Delivery note 4711\nTwelve boxes left at the gate.\nPlease sign and return one copy.';

GlobalFonts.registerFromPath(FONT, 'Serif');
const letter = drawText(LETTER, { ...PAGE, size: 46, left: 260, top: 400, leading: 78 });
const note = drawText(NOTE, { width: 1400, height: 500, size: 50, left: 80, top: 120, leading: 90 });
save('letter-300dpi.png', await letter.encode('png'));
save('letter-300dpi.txt', LETTER);
save('note.jpg', await note.encode('jpeg', 80));
save('note.webp', await note.encode('webp', 80));
save('note.gif', encodeGif(note));
save('note.txt', NOTE);
save('scan.pdf', scanPdf(await note.encode('jpeg', 80), note));
save(
  'umlauts-windows-1252.txt',
  Buffer.from('Größe: 12 m²\r\nStraße nach Köln – „schön“ für 5 €\r\n', 'latin1').map(toWindows),
);
save('utf16.csv', Buffer.from('\ufeffname;city\r\nŁukasz;Łódź\r\n安娜;北京\r\n', 'utf16le'));

interface Layout {
  width: number;
  height: number;
  size: number;
  left: number;
  top: number;
  leading: number;
}

function drawText(text: string, { width, height, size, left, top, leading }: Layout): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.fillStyle = 'black';
  context.font = `${size}px Serif`;
  for (const [index, line] of text.split('\n').entries()) context.fillText(line, left, top + index * leading);
  return canvas;
}

/** A page that is a picture, between two pages of text. */
function scanPdf(jpeg: Uint8Array, { width, height }: Canvas): Buffer {
  const image = Buffer.concat([
    Buffer.from(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
    ),
    jpeg,
    Buffer.from('\nendstream'),
  ]);
  const text = (words: string) => toStream(Buffer.from(`BT /F1 14 Tf 60 760 Td (${words}) Tj ET`));
  return writePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [5 0 R 7 0 R 9 0 R] /Count 3 >>',
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    5: pageObject(6),
    6: text('A page that was typed.'),
    7: pageObject(8, '/XObject << /I 11 0 R >>'),
    8: toStream(Buffer.from('q 500 0 0 180 40 600 cm /I Do Q')),
    9: pageObject(10),
    10: text('And another one.'),
    11: image,
  });
}

/** Writes 128 shades of grey. */
function encodeGif(canvas: Canvas): Buffer {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const packed = compressLzw(Array.from({ length: width * height }, (_, index) => (data[index * 4] ?? 0) >> 1));
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const greys = Array.from({ length: 128 }, (_, index) => [index * 2, index * 2, index * 2]).flat();
  const head = [...Buffer.from('GIF89a'), ...size, 0xf6, 0, 0, ...greys, 0x2c, 0, 0, 0, 0, ...size, 0, 7];
  const blocks: Buffer[] = [];
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat([Buffer.from(head), ...blocks, Buffer.from([0, 0x3b])]);
}

/** LZW as GIF has it, for values below 128: codes grow from 8 to 12 bits, then the table begins anew. */
function compressLzw(values: readonly number[]): Buffer {
  const [clear, end, full] = [128, 129, 4095];
  const bytes: number[] = [];
  let [bits, count, width] = [0, 0, 8];
  const write = (code: number) => {
    bits |= code << count;
    for (count += width; count >= 8; count -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  let table = new Map<number, number>();
  let next = end + 1;
  let [before = 0] = values;
  write(clear);
  for (const value of values.slice(1)) {
    const known = table.get(before * 256 + value);
    if (known === undefined) {
      write(before);
      if (next > full) {
        write(clear);
        [table, next, width] = [new Map(), end + 1, 8];
      } else {
        table.set(before * 256 + value, next++);
        if (next > 1 << width && width < 12) width++;
      }
    }
    before = known ?? value;
  }
  write(before);
  write(end);
  return Buffer.from(count > 0 ? [...bytes, bits & 255] : bytes);
}

/** Maps characters that Windows-1252 adds to Latin-1. */
function toWindows(byte: number): number {
  return { 19: 0x96, 30: 0x84, 28: 0x93, 172: 0x80 }[byte] ?? byte;
}

function save(name: string, content: Uint8Array | string): void {
  writeFileSync(join(FOLDER, name), content);
  console.log(name, content.length);
}
