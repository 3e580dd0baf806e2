import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDocx, buildPptx, buildXlsx } from '../../test/files/build-office.ts';
import { buildPdf } from '../../test/files/build-pdf.ts';
import { fixture } from '../../test/files/read-fixture.ts';
import { decodeText } from './decode-text.ts';
import { checkType, detectType } from './detect.ts';

describe('decodeText', () => {
  it('takes the mark at the beginning as the truth and leaves it out', () => {
    expect(decodeText(Buffer.from('\ufeffgrün', 'utf8'))).toEqual({ text: 'grün' });
    expect(decodeText(Buffer.from('\ufeffgrün', 'utf16le'))).toEqual({ text: 'grün' });
    expect(decodeText(Buffer.from('\ufeffgrün', 'utf16le').swap16())).toEqual({ text: 'grün' });
  });

  it('finds UTF-16 without a mark by its zeros', () => {
    const text = 'name;city\r\n安娜;北京\r\n';
    expect(decodeText(Buffer.from(text, 'utf16le'))).toEqual({ text, guessed: 'UTF-16LE' });
    expect(decodeText(Buffer.from(text, 'utf16le').swap16())).toEqual({ text, guessed: 'UTF-16BE' });
  });

  const samples: [encoding: string, text: string, bytes: string][] = [
    ['windows-1252', 'Größe', '4772f6dfe5'.replace('e5', '65')],
    ['windows-1252', 'city\nMálaga', '636974790a4de16c616761'],
    ['windows-1251', 'Привет, это текст', 'cff0e8e2e5f22c20fdf2ee20f2e5eaf1f2'],
    ['shift_jis', 'これは日本語です', '82b182ea82cd93fa967b8cea82c582b7'],
    ['euc-jp', 'これは日本語です', 'a4b3a4eca4cfc6fccbdcb8eca4c7a4b9'],
    ['gb18030', '这是我的中国', 'd5e2cac7ced2b5c4d6d0b9fa'],
    ['big5', '這是我的中國', 'b36fac4fa7daaabaa4a4b0ea'],
    ['euc-kr', '이것은 한국어 입니다', 'c0ccb0cdc0ba20c7d1b1b9beee20c0d4b4cfb4d9'],
  ];
  it.each(samples)('tells %s by its letters', (guessed, text, hex) => {
    expect(decodeText(Buffer.from(hex, 'hex'))).toEqual({ text, guessed });
  });

  it('counts the characters that are lost, and takes mostly valid UTF-8 for damaged UTF-8', () => {
    const broken = Buffer.concat([Buffer.from('grün, Größe, Öl '), Buffer.from([0xc3]), Buffer.from(' end')]);
    expect(decodeText(broken)).toEqual({ text: 'grün, Größe, Öl \ufffd end', lost: 1 });
    const marked = Buffer.concat([Buffer.from('\ufeffok '), Buffer.from([0xe4, 0x20, 0xf6])]);
    expect(decodeText(marked)).toEqual({ text: 'ok \ufffd \ufffd', lost: 2 });
  });

  it('refuses bytes that no text has', () => {
    expect(() => decodeText(Buffer.from([0x7f, 0x45, 0, 0, 0, 1, 2]))).toThrow('is not text');
  });

  it('gives every text back that was written as UTF-8', () => {
    const Text = fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith('\ufeff') && !text.includes('\0'));
    fc.assert(fc.property(Text, (text) => void expect(decodeText(Buffer.from(text))).toEqual({ text })));
  });
});

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
