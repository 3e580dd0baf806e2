import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomSecret } from './random-secret.ts';
import type { SecretKey, SecretKeys } from './secret-key.ts';

/** The place of a sealed value. A value that is moved to another place cannot be opened there. */
interface SealPlace {
  /** Empty = of the program itself. */
  userId: string;
  name: string;
  /** The authorization server that the value is for. */
  issuer: string;
}

interface Unsealed {
  text: string;
  issuer: string;
  /** Sealed with the previous key: to be sealed again. */
  isOld: boolean;
}

export interface Sealer {
  seal(text: string, place: SealPlace): string;
  /** Undefined if no key opens it, or if it was changed or moved. */
  open(sealed: string, place: Omit<SealPlace, 'issuer'>): Unsealed | undefined;
}

const VERSION = '1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with AES-256-GCM. User, name and issuer are authenticated with the text. */
export function createSealer({ current, previous }: SecretKeys): Sealer {
  const keys = [current, ...(previous ? [previous] : [])];
  return {
    seal(text, place) {
      const nonce = randomSecret(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.bytes, nonce);
      cipher.setAAD(boundTo(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
      return [VERSION, current.id, Buffer.from(place.issuer).toString('base64url'), sealed].join('.');
    },
    open(sealed, place) {
      const [version, id, encoded = '', body = ''] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if (version !== VERSION || !key) return undefined;
      const issuer = Buffer.from(encoded, 'base64url').toString('utf8');
      const text = decrypt(key, Buffer.from(body, 'base64url'), boundTo({ ...place, issuer }));
      return text === undefined ? undefined : { text, issuer, isOld: key !== current };
    },
  };
}

function boundTo({ userId, name, issuer }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, userId, name, issuer]));
}

function decrypt(key: SecretKey, data: Buffer, bound: Buffer): string | undefined {
  if (data.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key.bytes, data.subarray(0, NONCE_BYTES));
  decipher.setAAD(bound);
  decipher.setAuthTag(data.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = [decipher.update(data.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    return undefined;
  }
}
