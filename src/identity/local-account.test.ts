import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/runtime.ts';
import { localAccount } from './local-account.ts';
import { namedUser, storedUser, userFromId } from './user.ts';

describe('localAccount', () => {
  it('makes one id and keeps it, for its owner only', () => {
    const folder = join(temporaryFolder(), 'data');
    const first = localAccount(folder);
    expect(localAccount(folder)).toEqual(first);
    expect(statSync(join(folder, 'account')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('refuses a file that holds something else instead of becoming another user', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'account'), 'not an id');
    expect(() => localAccount(folder)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  });

  it('says so when the folder cannot be used', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => localAccount(file)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  });
});

describe('localAccount in several processes', () => {
  it('gives all that begin in the same moment the same user', async () => {
    const parent = temporaryFolder();
    const folders = Array.from({ length: 40 }, (_, index) => join(parent, String(index)));
    const arrived = new Int32Array(new SharedArrayBuffer(4 * folders.length));
    const open = () =>
      new Promise((resolve, reject) => {
        const workerData = { folders, arrived, threads: 2 };
        const file = new URL('./fixtures/open-account.ts', import.meta.url);
        new Worker(file, { workerData }).on('message', resolve).on('error', reject);
      });
    const [first, second] = await Promise.all([open(), open()]);
    expect(first).toEqual(second);
    expect(first).toEqual(folders.map((folder) => readFileSync(join(folder, 'account'), 'utf8').trim()));
    expect(folders.flatMap((folder) => readdirSync(folder))).toEqual(folders.map(() => 'account'));
  });
});

describe('user', () => {
  const UUID = '3b5a1d8e-0d5c-4a43-9d9d-3f0c6f1f2a11';

  it('userFromId keeps a UUID and makes the same UUID of the same text and issuer', () => {
    expect(userFromId(UUID.toUpperCase())).toEqual({ id: UUID });
    const ids = [
      userFromId('user-42'),
      userFromId('user-42'),
      userFromId('user-43'),
      userFromId('user-42', { issuer: 'x' }),
    ];
    expect(ids[0]).toEqual(ids[1]);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  });

  it('userFromId takes a UUID of version 5 for text: nobody becomes another user by a name', () => {
    const { id } = userFromId('user-42');
    expect(userFromId(id).id).not.toBe(id);
    expect([storedUser(id).id, namedUser(id).id, namedUser('user-42').id]).toEqual([id, id, id]);
  });

  it('userFromId refuses an empty id, and what is no text', () => {
    for (const id of ['', ' ', undefined, 42] as string[]) expect(() => userFromId(id)).toThrow('non-empty');
  });
});
