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
