import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface PdfOptions {
  /** Entries of the trailer in addition to Root and Size, such as an encryption dictionary. */
  trailer?: string;
  /** Further objects by number, from 5 on; pages follow them. */
  objects?: Record<number, string>;
}

/** A PDF of text pages in any script: a font without glyphs that maps its codes to Unicode. */
export function buildPdf(pages: readonly string[], options: PdfOptions = {}): Buffer {
  const extra = options.objects ?? {};
  const firstPage = Math.max(4, ...Object.keys(extra).map(Number)) + 1;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`);
  const objects: Record<number, string | Buffer> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    3: FONT,
    4: toStream(Buffer.from(TO_UNICODE)),
    ...extra,
  };
  for (const [index, text] of pages.entries()) {
    const number = firstPage + index * 2;
    objects[number] = pageObject(number + 1);
    objects[number + 1] = toStream(Buffer.from(contentOf(text)));
  }
  return writePdf(objects, options.trailer);
}

export function pageObject(contents: number, extra = ''): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> ${extra} >> /Contents ${contents} 0 R >>`;
}

export function toStream(bytes: Uint8Array, dictionary = ''): Buffer {
  const packed = deflateSync(bytes);
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode ${dictionary} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}

/** A stream as it is, even if its dictionary is wrong about it. */
export function toRawStream(content: string | Uint8Array, dictionary: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

export function writePdf(objects: Record<number, string | Buffer>, trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const numbers = Object.keys(objects).map(Number);
  const offsets = new Map<number, number>();
  let at = parts[0]?.length ?? 0;
  for (const number of numbers) {
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(objects[number] ?? ''),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.set(number, at);
    parts.push(part);
    at += part.length;
  }
  const size = Math.max(...numbers) + 1;
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

const FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /None /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /None /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>] >>';
const TO_UNICODE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`;

function contentOf(text: string): string {
  const lines = text.split('\n').map((line) => `<${hex(line)}> Tj T*`);
  return `BT /F1 12 Tf 14 TL 60 780 Td ${lines.join('\n')} ET`;
}

function hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

/** The format's padding for short passwords. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const KEY_BYTES = 5;
const PERMISSIONS = -44;

/** A PDF that anybody may open and only its owner may change: encrypted with an empty password, in the oldest way. */
export function buildOwnerPasswordPdf(text: string): Buffer {
  const id = Buffer.alloc(16, 'i');
  const owner = cipher(md5(Buffer.concat([Buffer.from('owner'), PADDING]).subarray(0, 32)), PADDING);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(Buffer.concat([PADDING, owner, permissions, id]));
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const encrypt = `/Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(cipher(key, PADDING))} /P ${PERMISSIONS}`;
  const content = Buffer.from(`BT /F1 12 Tf 60 700 Td (${text}) Tj ET`);
  return writePdf(
    {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      5: pageObject(6),
      6: toRawStream(cipher(objectKey(key, 6), content), ''),
    },
    `/Encrypt << ${encrypt} >> /ID [${hex(id)} ${hex(id)}]`,
  );
}

function md5(bytes: Uint8Array, length = KEY_BYTES): Buffer {
  return createHash('md5').update(bytes).digest().subarray(0, length);
}

function objectKey(key: Buffer, number: number): Buffer {
  return md5(Buffer.concat([key, Buffer.from([number, 0, 0, 0, 0])]), KEY_BYTES + 5);
}

/** RC4, which current libraries no longer offer. */
function cipher(key: Buffer, bytes: Buffer): Buffer {
  const box = Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => box[index & 255] ?? 0;
  const swap = (a: number, b: number) => {
    [box[a], box[b]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}
