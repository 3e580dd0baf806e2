import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSecretKeys } from './secret-key.ts';

const ONE = Buffer.alloc(32, 1).toString('base64');
const TWO = Buffer.alloc(32, 2).toString('base64');

describe('the keys of sealed values', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'holodeck-key-')), 'data');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  it('come from a file for the owner alone, made once', () => {
    const first = readSecretKeys({ folder, isShared: false, env: {} });
    expect(readSecretKeys({ folder, isShared: false, env: {} })).toEqual(first);
    expect(first.current.bytes).toHaveLength(32);
    expect(readdirSync(folder)).toEqual(['secret.key']);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('are refused from a file that others can read', () => {
    readSecretKeys({ folder, isShared: false, env: {} });
    chmodSync(join(folder, 'secret.key'), 0o640);
    expect(() => readSecretKeys({ folder, isShared: false, env: {} })).toThrow(/chmod 600/);
  });

  it('come from the environment first, with the previous key', () => {
    const env = { HOLODECK_SECRET: ONE, HOLODECK_SECRET_PREVIOUS: TWO };
    const keys = readSecretKeys({ folder, isShared: true, env });
    expect([keys.current.bytes[0], keys.previous?.bytes[0]]).toEqual([1, 2]);
  });

  it.each(['short', Buffer.alloc(31).toString('base64'), `${ONE}!`])(
    'are refused if they are not 32 bytes: %s',
    (text) => {
      const env = { HOLODECK_SECRET: text };
      expect(() => readSecretKeys({ folder, isShared: false, env })).toThrow(/32 bytes as base64/);
    },
  );

  it('must be in the environment for a shared database', () => {
    expect(() => readSecretKeys({ folder, isShared: true, env: {} })).toThrow(/HOLODECK_SECRET/);
  });
});
