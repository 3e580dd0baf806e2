import { expect, it } from 'vitest';
import { cleanName } from './clean-name.ts';

it('removes marks that reorder or hide text, and cuts long names', () => {
  expect(cleanName('invoice\u202Egnp.exe\u200b')).toBe('invoicegnp.exe');
  expect(cleanName(' a\nb ')).toBe('ab');
  expect(cleanName('x'.repeat(300))).toHaveLength(200);
});
