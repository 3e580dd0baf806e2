import { describe, expect, it } from 'vitest';
import type { MimeType } from '../../src/schema/file.ts';
import { buildPdf } from './build-pdf.ts';
import { expectedText, fixture, fixtureText, readBytes } from './read-fixture.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('a file as other programs write it', () => {
  const cases: [name: string, type: MimeType, detail: string][] = [
    ['report.docx', `${OFFICE}.wordprocessingml.document`, '301 characters'],
    ['slides.pptx', `${OFFICE}.presentationml.presentation`, '2 slides, 183 characters'],
    ['numbers.xlsx', `${OFFICE}.spreadsheetml.sheet`, '2 sheets, 198 characters'],
    ['invoice.pdf', 'application/pdf', '2 pages, 103 characters'],
    ['scan.pdf', 'application/pdf', '3 pages, 151 characters'],
    ['utf16.csv', 'text/csv', '3 lines, 27 characters'],
    ['umlauts-windows-1252.txt', 'text/plain', '2 lines, read as windows-1252, 47 characters'],
  ];
  it.each(cases)('is read whole: %s', async (name, type, detail) => {
    const text = expectedText(name);
    expect(await readBytes(name, type, fixture(name))).toEqual({ verdict: 'read', detail, text });
  });
});

describe('a picture of text', () => {
  const cases: [name: string, type: MimeType][] = [
    ['note.jpg', 'image/jpeg'],
    ['note.webp', 'image/webp'],
    ['note.gif', 'image/gif'],
  ];
  it.each(cases)('is read: %s', async (name, type) => {
    const text = fixtureText('note.txt');
    const expected = { verdict: 'read', detail: `1400 × 500 pixels, ${text.length} characters`, text };
    expect(await readBytes(name, type, fixture(name))).toEqual(expected);
  });

  it('gives at least 98 of 100 words of a page at 300 dpi', async () => {
    const { verdict, text } = await readBytes('letter.png', 'image/png', fixture('letter-300dpi.png'));
    const wanted = wordsOf(fixtureText('letter-300dpi.txt'));
    const found = new Set(wordsOf(text));
    const share = wanted.filter((word) => found.has(word)).length / wanted.length;
    expect({ verdict, isEnough: share >= 0.98 }).toEqual({ verdict: 'read', isEnough: true });
  });

  function wordsOf(text: string): string[] {
    return text.split(/\s+/).filter(Boolean);
  }
});

describe('a PDF', () => {
  it('is read in scripts of every direction', async () => {
    const pages = ['Grüße aus Łódź', '日本語のページ', 'Русский текст'];
    const { verdict, text } = await readBytes('x.pdf', 'application/pdf', buildPdf(pages));
    expect({ verdict, text }).toEqual({
      verdict: 'read',
      text: pages.map((page, index) => `[Page ${index + 1}]\n${page}`).join('\n\n'),
    });
  });
});
