import { describe, expect, it } from 'vitest';
import { buildDocx, buildPptx, buildXlsx } from '../../test/files/build-office.ts';
import { buildPdf } from '../../test/files/build-pdf.ts';
import { fixture } from '../../test/files/read-fixture.ts';
import { checkType, detectType } from './detect.ts';

describe('detectType', () => {
  const office = 'application/vnd.openxmlformats-officedocument';
  it.each([
    ['image/png', fixture('letter-300dpi.png')],
    ['image/jpeg', fixture('note.jpg')],
    ['image/gif', fixture('note.gif')],
    ['image/webp', fixture('note.webp')],
    ['application/pdf', buildPdf(['x'])],
    ['application/pdf', Buffer.concat([Buffer.from('\r\n--mail--\r\n'), buildPdf(['x'])])],
    [`${office}.wordprocessingml.document`, buildDocx('')],
    [`${office}.spreadsheetml.sheet`, buildXlsx({})],
    [`${office}.presentationml.presentation`, buildPptx([])],
    ['text', Buffer.from('just words')],
  ])('finds %s by its content', async (type, bytes) => {
    expect(await detectType(bytes)).toBe(type);
  });

  it('says what an old Office file is and what to do', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    await expect(detectType(old)).rejects.toThrow(
      'is of an old Office format (doc, xls, ppt); save it as docx, xlsx or pptx',
    );
  });
});

describe('checkType', () => {
  it('takes any text as any kind of text, and nothing else as something else', async () => {
    await checkType(Buffer.from('a,b'), 'text/markdown');
    await expect(checkType(fixture('note.jpg'), 'image/png')).rejects.toThrow(
      'was said to be a PNG picture, but is a JPEG picture',
    );
    await expect(checkType(fixture('note.jpg'), 'text/plain')).rejects.toThrow(
      'was said to be text, but is a JPEG picture',
    );
  });
});
