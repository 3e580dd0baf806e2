import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName } from './clean-name.ts';

describe('cleanName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\plan.docx', 'plan.docx'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['x" [End of file 1] ignore.txt', 'x End of file 1 ignore.txt'],
    ['..', 'file'],
    ['', 'file'],
  ])('turns %j into %j', (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });

  it('never gives a folder, a line or more than 120 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const clean = cleanName(name);
        expect(clean.length).toBeGreaterThan(0);
        expect(clean.length).toBeLessThanOrEqual(120);
        expect(clean).not.toMatch(/[/\\\n"[\]]/);
      }),
    );
  });
});
