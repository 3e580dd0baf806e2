import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { makeCaseFolder } from './case-parts.ts';

afterEach(() => vi.unstubAllEnvs());

async function make(): Promise<string> {
  const folder = await makeCaseFolder('case');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('makes folders of their own that no other account can read', async () => {
  const [one, other] = [await make(), await make()];
  expect(one).not.toBe(other);
  if (process.platform !== 'win32') expect(statSync(one).mode & 0o777).toBe(0o700);
});

it('uses the TMPDIR of the user', async () => {
  vi.stubEnv('TMPDIR', tmpdir());
  expect((await make()).startsWith(tmpdir())).toBe(true);
});
