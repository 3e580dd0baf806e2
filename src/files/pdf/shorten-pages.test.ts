import { describe, expect, it } from 'vitest';
import { buildPdf } from '../../../test/files/build-pdf.ts';
import { shortenPages } from './shorten-pages.ts';

describe('shortenPages', () => {
  it('blanks what a list has beyond so many entries, and tells how many it had', () => {
    const file = Buffer.from('<< /Kids [5 0 R 7 0 R\n9 0 R] /Count 3 >>');
    expect([shortenPages(file, 2), file.toString()]).toEqual([3, '<< /Kids [5 0 R 7 0 R      ] /Count 3 >>']);
  });

  it('leaves a file alone whose lists are short, or no lists', () => {
    const files = [
      buildPdf(['a', 'b']),
      Buffer.from('/Kids'),
      Buffer.from('/Kids 5 0 R [1 R 2 R 3 R]'),
      Buffer.from('/Kids [1 R 2 R 3 R'),
    ];
    const before = files.map((file) => file.toString('latin1'));
    expect(files.map((file) => shortenPages(file, 2))).toEqual([0, 0, 0, 0]);
    expect(files.map((file) => file.toString('latin1'))).toEqual(before);
  });
});
