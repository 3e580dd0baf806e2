import { randomBytes } from 'node:crypto';
import { constants, createDeflateRaw, deflateRawSync, deflateSync } from 'node:zlib';
import type { MimeType } from '../../src/schema/file.ts';
import { buildDocx, buildXlsx, paragraph } from './build-office.ts';
import { buildPdf, pageObject, toStream, writePdf } from './build-pdf.ts';
import { buildPng } from './build-png.ts';
import { buildQuine } from './build-quine.ts';
import { buildZip } from './build-zip.ts';

export interface HostileFile {
  name: string;
  mime_type: MimeType;
  build(): Buffer | Promise<Buffer>;
  /** The expected verdict. */
  verdict: 'read' | 'partly' | 'refused';
  detail: RegExp;
}

const DOCX: MimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX: MimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX: MimeType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const PDF: MimeType = 'application/pdf';
const MB = 1024 * 1024;

/** Files that try to use up time or memory, or to read other files or the network. Each must only get its verdict. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  { name: 'zip-bomb.docx', mime_type: DOCX, build: zipBomb, verdict: 'refused', detail: /unpacks to far more/ },
  {
    name: 'archive-in-archive.docx',
    mime_type: DOCX,
    build: nestedArchive,
    verdict: 'refused',
    detail: /is a ZIP archive/,
  },
  {
    name: 'quine.zip.docx',
    mime_type: DOCX,
    build: () => buildQuine('quine.zip'),
    verdict: 'refused',
    detail: /is a ZIP archive/,
  },
  {
    name: 'quine-as-document.docx',
    mime_type: DOCX,
    build: () => buildQuine('word/document.xml'),
    verdict: 'refused',
    detail: /damaged/,
  },
  {
    name: 'overlapping-entries.xlsx',
    mime_type: XLSX,
    build: overlapping,
    verdict: 'refused',
    detail: /claims one part many times/,
  },
  { name: 'many-entries.docx', mime_type: DOCX, build: manyEntries, verdict: 'refused', detail: /holds 60000 parts/ },
  {
    name: 'billion-laughs.docx',
    mime_type: DOCX,
    build: billionLaughs,
    verdict: 'refused',
    detail: /declares XML entities/,
  },
  {
    name: 'external-entity.xlsx',
    mime_type: XLSX,
    build: externalEntity,
    verdict: 'refused',
    detail: /declares XML entities/,
  },
  {
    name: 'remote-entity.pptx',
    mime_type: PPTX,
    build: remoteEntity,
    verdict: 'refused',
    detail: /declares XML entities/,
  },
  { name: 'deep.docx', mime_type: DOCX, build: deepXml, verdict: 'refused', detail: /nested deeper than 256/ },
  { name: 'truncated.docx', mime_type: DOCX, build: truncatedDocx, verdict: 'refused', detail: /end is missing/ },
  { name: 'truncated.pdf', mime_type: PDF, build: truncatedPdf, verdict: 'refused', detail: /damaged/ },
  {
    name: 'program.png',
    mime_type: 'image/png',
    build: program,
    verdict: 'refused',
    detail: /said to be a PNG picture, but is text/,
  },
  {
    name: 'line-ends.txt',
    mime_type: 'text/plain',
    build: () => Buffer.concat([repeat('\n', 1_000_000), Buffer.from('x')]),
    verdict: 'read',
    detail: /^1,000,001 lines/,
  },
  {
    name: 'only-quotes.csv',
    mime_type: 'text/csv',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeat('"', 1_000_001)]),
    verdict: 'partly',
    detail: /line 2: a quote is opened and never closed/,
  },
  {
    name: 'ragged.csv',
    mime_type: 'text/csv',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeat('x\n', 1_000_000)]),
    verdict: 'partly',
    detail: /line 4: .*; many more rows like these/,
  },
  {
    name: 'joiners.txt',
    mime_type: 'text/plain',
    build: () => repeat('\u200d', 999_999),
    verdict: 'read',
    detail: /no text was found/,
  },
  { name: 'program.txt', mime_type: 'text/plain', build: program, verdict: 'refused', detail: /not text/ },
  {
    name: 'document.pdf',
    mime_type: PDF,
    build: () => buildDocx(paragraph('x')),
    verdict: 'refused',
    detail: /is a Word document/,
  },
  { name: 'password.pdf', mime_type: PDF, build: passwordPdf, verdict: 'refused', detail: /protected by a password/ },
  {
    name: 'password-zip.docx',
    mime_type: DOCX,
    build: passwordZip,
    verdict: 'refused',
    detail: /protected by a password/,
  },
  {
    name: 'password-office.xlsx',
    mime_type: XLSX,
    build: passwordOffice,
    verdict: 'refused',
    detail: /protected by a password/,
  },
  { name: '30000-pages.pdf', mime_type: PDF, build: manyPages, verdict: 'partly', detail: /of 30,000 pages/ },
  { name: 'page-circle.pdf', mime_type: PDF, build: pageCircle, verdict: 'refused', detail: /damaged/ },
  {
    name: 'content-bomb.pdf',
    mime_type: PDF,
    build: contentBomb,
    verdict: 'partly',
    detail: /more memory|longer than|damaged/,
  },
  { name: 'form-in-itself.pdf', mime_type: PDF, build: formInItself, verdict: 'read', detail: /1 page/ },
  {
    name: 'wide.png',
    mime_type: 'image/png',
    build: () => pngHeader(65_535, 65_535),
    verdict: 'refused',
    detail: /4,295 megapixels/,
  },
  {
    name: 'false-size.png',
    mime_type: 'image/png',
    build: () => pngHeader(200, 200),
    verdict: 'refused',
    detail: /cannot be decoded/,
  },
  { name: 'wide.jpg', mime_type: 'image/jpeg', build: wideJpeg, verdict: 'refused', detail: /4,295 megapixels/ },
  { name: 'wide.gif', mime_type: 'image/gif', build: wideGif, verdict: 'refused', detail: /4,295 megapixels/ },
  { name: 'flat.png', mime_type: 'image/png', build: flatPng, verdict: 'read', detail: /no text was found/ },
  {
    name: 'huge-shared-strings.xlsx',
    mime_type: XLSX,
    build: hugeSharedStrings,
    verdict: 'partly',
    detail: /20 million characters/,
  },
  {
    name: 'endless-rows.xlsx',
    mime_type: XLSX,
    build: endlessRows,
    verdict: 'partly',
    detail: /rows after|unpacks to far more/,
  },
  {
    name: 'one-huge-paragraph.docx',
    mime_type: DOCX,
    build: hugeParagraph,
    verdict: 'refused',
    detail: /more memory|longer than/,
  },
  { name: 'zip-slip.xlsx', mime_type: XLSX, build: zipSlip, verdict: 'refused', detail: /leads out of the archive/ },
  {
    name: 'one-line.txt',
    mime_type: 'text/plain',
    build: () => Buffer.alloc(50 * MB, 'a'),
    verdict: 'partly',
    detail: /first 2,000,000 characters/,
  },
];

function repeat(text: string, bytes: number): Buffer {
  return Buffer.alloc(bytes, text);
}

function zipBomb(): Buffer {
  const document = Buffer.concat([
    Buffer.from('<w:document><w:body>'),
    repeat('<w:p/>      ', 100 * MB),
    Buffer.from('</w:body></w:document>'),
  ]);
  return buildZip([{ name: 'word/document.xml', content: document }]);
}

function nestedArchive(): Buffer {
  let archive: Buffer = Buffer.from('nothing');
  for (let level = 0; level < 12; level++) {
    const content = archive;
    archive = buildZip([0, 1, 2, 3].map((index) => ({ name: `${index}.zip`, content })));
  }
  return archive;
}

/** Every sheet is the same data: small on disk, endless when read. */
function overlapping(): Buffer {
  const row = `<row><c><v>1</v></c>${' '.repeat(4000)}</row>`;
  const noise = randomBytes(300_000).toString('base64');
  const sheet = `<worksheet><sheetData><!--${noise}-->${row.repeat(9_000)}</sheetData></worksheet>`;
  const names = Array.from({ length: 100 }, (_, index) => `xl/worksheets/sheet${index + 1}.xml`);
  const list = names.map((_, index) => `<sheet name="s${index}" r:id="rId${index + 1}"/>`).join('');
  const relations = names
    .map((name, index) => `<Relationship Id="rId${index + 1}" Type="x/worksheet" Target="/${name}"/>`)
    .join('');
  return buildZip([
    { name: names[0] ?? '', content: sheet },
    ...names.slice(1).map((name) => ({ name, content: '', sharesDataOf: 0 })),
    { name: 'xl/workbook.xml', content: `<workbook xmlns:r="r"><sheets>${list}</sheets></workbook>` },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${relations}</Relationships>` },
  ]);
}

function manyEntries(): Buffer {
  return buildZip(Array.from({ length: 60_000 }, (_, index) => ({ name: `word/${index}.xml`, content: '' })));
}

function billionLaughs(): Buffer {
  const entities = Array.from({ length: 10 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  const document = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${entities.join('')}]><w:document><w:body><w:p><w:r><w:t>&l10;</w:t></w:r></w:p></w:body></w:document>`;
  return buildZip([{ name: 'word/document.xml', content: document }]);
}

function externalEntity(): Buffer {
  const row = '<row><c t="inlineStr"><is><t>&file;</t></is></c></row>';
  const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]><worksheet><sheetData>${row}</sheetData></worksheet>`;
  return buildXlsx({ One: '' }, { 'xl/worksheets/sheet1.xml': sheet, 'xl/sharedStrings.xml': sheet });
}

function remoteEntity(): Buffer {
  const slide =
    '<?xml version="1.0"?><!DOCTYPE x SYSTEM "http://127.0.0.1:9/evil.dtd"><p:sld><p:cSld><p:spTree/></p:cSld></p:sld>';
  return buildZip([
    {
      name: 'ppt/presentation.xml',
      content: '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>',
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: '<Relationships><Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>',
    },
    { name: 'ppt/slides/slide1.xml', content: slide },
  ]);
}

function deepXml(): Buffer {
  const levels = 100_000;
  return buildDocx(`${'<w:p>'.repeat(levels)}${'</w:p>'.repeat(levels)}`);
}

function truncatedDocx(): Buffer {
  const docx = buildDocx(paragraph('a long text '.repeat(1000)));
  return docx.subarray(0, Math.floor(docx.length / 2));
}

function truncatedPdf(): Buffer {
  return buildPdf(['a page', 'another page']).subarray(0, 120);
}

function program(): Buffer {
  return Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), Buffer.alloc(5000), Buffer.from('main')]);
}

function passwordPdf(): Buffer {
  const secret = (seed: string) => Buffer.alloc(32, seed).toString('hex');
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${secret('o')}> /U <${secret('u')}> /P -44 >> /ID [<${secret('i')}> <${secret('i')}>]`;
  return buildPdf(['secret'], { trailer: encrypt });
}

function passwordZip(): Buffer {
  return buildZip([{ name: 'word/document.xml', content: 'secret', encrypted: true }]);
}

function passwordOffice(): Buffer {
  const container = Buffer.alloc(4096);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(container);
  container.write('EncryptedPackage', 1024, 'utf16le');
  return container;
}

function manyPages(): Buffer {
  return buildPdf(Array.from({ length: 30_000 }, (_, index) => `This is page ${index + 1}.`));
}

function pageCircle(): Buffer {
  return writePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>',
  });
}

/** A megabyte on the second page that inflates to a gigabyte of drawing commands. */
function contentBomb(): Buffer {
  const command = Buffer.alloc(MB, 'BT /F1 12 Tf (aaaaaaaa) Tj ET\n');
  const inflated = Buffer.concat(Array.from({ length: 400 }, () => command));
  return writePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [5 0 R 7 0 R] /Count 2 >>',
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    5: pageObject(6),
    6: toStream(Buffer.from('BT /F1 12 Tf 60 700 Td (Hi) Tj ET')),
    7: pageObject(8),
    8: toStream(inflated),
  });
}

function formInItself(): Buffer {
  return writePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
    3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    5: pageObject(6, '/XObject << /X 7 0 R >>'),
    6: toStream(Buffer.from('/X Do BT /F1 12 Tf 60 700 Td (after) Tj ET')),
    7: toStream(
      Buffer.from('/X Do'),
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 7 0 R >> >>',
    ),
  });
}

function pngHeader(width: number, height: number): Buffer {
  return buildPng({ width, height, type: 0, data: deflateSync(Buffer.alloc(10)) });
}

/** The maximum number of pixels, all white: a few kilobytes. */
function flatPng(): Buffer {
  const [width, height] = [6000, 6000];
  const rows = Buffer.alloc((width + 1) * height, 0xff);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return buildPng({ width, height, type: 0, data: deflateSync(rows) });
}

function wideJpeg(): Buffer {
  return Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0, 0xff, 0xd9]);
}

function wideGif(): Buffer {
  return Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0xff, 0xff, 0xff, 0xff, 0x80, 0, 0]), Buffer.alloc(20)]);
}

function hugeSharedStrings(): Buffer {
  const words = Array.from({ length: 50_000 }, () => `<si><t>${randomBytes(45).toString('base64')}</t></si>`).join('');
  const row = '<row r="1"><c t="s"><v>0</v></c></row>';
  return buildXlsx({ One: row }, { 'xl/sharedStrings.xml': `<sst>${words.repeat(18)}</sst>` });
}

async function endlessRows(): Promise<Buffer> {
  const block = Array.from({ length: 20_000 }, () => `<row><c><v>${Math.random()}</v></c></row>`).join('');
  const pieces = ['<worksheet><sheetData>', ...Array.from({ length: 60 }, () => block)];
  const deflated = await deflatePieces(pieces);
  return buildZip([
    {
      name: 'xl/workbook.xml',
      content: '<workbook xmlns:r="r"><sheets><sheet name="s" r:id="rId1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="sheet.xml"/></Relationships>',
    },
    { name: 'xl/sheet.xml', content: { deflated } },
  ]);
}

async function deflatePieces(pieces: readonly string[]): Promise<Buffer> {
  const stream = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An element that never ends: no part of it can be released before its end. */
function hugeParagraph(): Buffer {
  const runs = Array.from({ length: 5_000 }, () => `<w:r><w:t>${randomBytes(9).toString('hex')}</w:t></w:r>`).join('');
  const document = `<w:document><w:body><w:p>${runs.repeat(400)}</w:p></w:body></w:document>`;
  return buildZip([{ name: 'word/document.xml', content: { deflated: deflateRawSync(document, { level: 1 }) } }]);
}

function zipSlip(): Buffer {
  return buildZip([
    { name: 'xl/workbook.xml', content: '<workbook/>' },
    { name: '../../../../tmp/owned', content: 'x' },
  ]);
}
