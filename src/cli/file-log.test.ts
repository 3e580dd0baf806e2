import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { createFileLog } from './file-log.ts';

it('writes no secret of the settings, the environment or a header, also not inside an error with its stack', () => {
  vi.stubEnv('SHOP_TOKEN', 'line "one"\nline two of it');
  const path = join(temporaryFolder(), 'holodeck.log');
  const log = createFileLog(path, [{ name: 'model.api_key', value: 'plainpassword' }]);
  const cause = new Error(
    `401 for plainpassword with line "one"\nline two of it at ?q=${encodeURIComponent('plainpassword/')}`,
  );
  log('failed with plainpassword', {
    cause,
    headers: { authorization: 'abc', cookie: 'id=1', accept: 'text/html' },
    body: JSON.stringify({ key: 'line "one"\nline two of it' }),
    tokens: 12,
  });
  vi.unstubAllEnvs();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/plainpassword|line .{0,2}one|line two|abc|id=1/);
  expect(JSON.parse(text)).toMatchObject({
    text: 'failed with [redacted]',
    cause: expect.stringMatching(/^Error: 401 for \[redacted\] with \[redacted\] at \?q=\[redacted\]/),
    headers: { authorization: '[redacted]', cookie: '[redacted]', accept: 'text/html' },
    tokens: 12,
  });
});
