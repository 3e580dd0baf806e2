import { createHash } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { makePrivateFolder } from '../../private-folder.ts';
import { randomSecret } from './random-secret.ts';

export interface SecretKey {
  /** The beginning of a hash: names the key without revealing it. */
  id: string;
  bytes: Buffer;
}

export interface SecretKeys {
  /** Seals new values. */
  current: SecretKey;
  /** Opens values from before the last change of keys. */
  previous?: SecretKey;
}

export interface KeyPlace {
  folder: string;
  /** Several machines need the same key, so no file of one of them can hold it. */
  isShared: boolean;
  env?: Readonly<Record<string, string | undefined>>;
}

const KEY_BYTES = 32;
const FILE = 'secret.key';
const OTHERS = 0o077;

/** Reads the keys from the environment, else from `secret.key` in the data folder, which is made at the first use. */
export function readSecretKeys({ folder, isShared, env = process.env }: KeyPlace): SecretKeys {
  const given = env.HOLODECK_SECRET ? toKey(env.HOLODECK_SECRET, 'HOLODECK_SECRET') : undefined;
  if (!given && isShared) {
    const detail =
      'Logins in a shared database need HOLODECK_SECRET: the same 32 random bytes as base64 on every server. Make them with: openssl rand -base64 32';
    throw new AppError('config_invalid', { detail });
  }
  const current = given ?? readKeyFile(join(folder, FILE));
  const former = env.HOLODECK_SECRET_PREVIOUS;
  return { current, ...(former && { previous: toKey(former, 'HOLODECK_SECRET_PREVIOUS') }) };
}

function toKey(text: string, place: string): SecretKey {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES || !/^[\w+/-]+={0,2}$/.test(text.trim())) {
    const detail = `${place}: must be 32 bytes as base64. Make them with: openssl rand -base64 32`;
    throw new AppError('config_invalid', { detail });
  }
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

function readKeyFile(path: string): SecretKey {
  const known = readIfThere(path);
  if (known !== undefined) return toKey(known, path);
  makePrivateFolder(join(path, '..'));
  const draft = `${path}.${randomSecret(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomSecret(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    // A link fails if another process was first, and nobody ever sees half a key.
    linkSync(draft, path);
  } catch (error) {
    if (readIfThere(path) === undefined) throw unusable(path, 'cannot be written', error);
  } finally {
    rmSync(draft, { force: true });
  }
  return toKey(readIfThere(path) ?? '', path);
}

function readIfThere(path: string): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return undefined;
  if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0)
    throw unusable(path, 'can be read by other accounts. Run: chmod 600 secret.key');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(path, 'cannot be read', error);
  }
}

function unusable(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', { detail: `${path} ${fault}`, cause });
}
