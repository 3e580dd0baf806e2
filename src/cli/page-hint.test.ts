import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { takePageHint } from './page-hint.ts';

it('names the command of the page once, and never fails', () => {
  const folder = temporaryFolder();
  expect(takePageHint(folder, 'holodeck serve --open')).toBe('There is a web page too: holodeck serve --open');
  expect(takePageHint(folder, 'holodeck serve --open')).toBeUndefined();
  expect(takePageHint(join(folder, 'missing'), 'holodeck serve --open')).toBeUndefined();
});
