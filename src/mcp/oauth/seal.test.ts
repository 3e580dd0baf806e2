import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSealer } from './seal.ts';
import { readSecretKeys } from './secret-key.ts';

const keyOf = (byte: number) => ({ id: `key${byte}`, bytes: Buffer.alloc(32, byte) });
const place = { userId: 'ann', name: 'grant mail', issuer: 'https://login.example' };

describe('a sealed value', () => {
  const sealer = createSealer({ current: keyOf(1) });

  it('is opened at its own place, and does not contain its text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), (text, issuer) => {
        const sealed = sealer.seal(text, { ...place, issuer });
        expect(sealer.open(sealed, place)).toEqual({ text, issuer, isOld: false });
        expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').includes(text)).toBe(false);
      }),
    );
  });

  it('is never the same twice', () => {
    expect(sealer.seal('token', place)).not.toBe(sealer.seal('token', place));
  });

  it('cannot be opened for another user, name or issuer', () => {
    const sealed = sealer.seal('token', place);
    expect(sealer.open(sealed, { ...place, userId: 'bob' })).toBeUndefined();
    expect(sealer.open(sealed, { ...place, name: 'grant files' })).toBeUndefined();
    const [version, id, , body] = sealed.split('.');
    const moved = [version, id, Buffer.from('https://evil.example').toString('base64url'), body].join('.');
    expect(sealer.open(moved, place)).toBeUndefined();
  });

  it('cannot be changed', () => {
    const sealed = sealer.seal('token', place);
    const bytes = (text: string) =>
      text
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join();
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), (at) => {
        const other = sealed[at] === 'A' ? 'B' : 'A';
        const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
        // Unused bits at the end of base64 may change; the text may not.
        if (bytes(changed) !== bytes(sealed)) expect(sealer.open(changed, place)).toBeUndefined();
      }),
    );
    expect(sealer.open('', place)).toBeUndefined();
    expect(sealer.open('1.key1..', place)).toBeUndefined();
  });

  it('is opened with the previous key until it is sealed again', () => {
    const sealed = sealer.seal('token', place);
    const rotated = createSealer({ current: keyOf(2), previous: keyOf(1) });
    expect(rotated.open(sealed, place)).toMatchObject({ text: 'token', isOld: true });
    expect(createSealer({ current: keyOf(2) }).open(sealed, place)).toBeUndefined();
    const again = rotated.seal('token', place);
    expect(createSealer({ current: keyOf(2) }).open(again, place)).toMatchObject({ isOld: false });
  });
});

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
