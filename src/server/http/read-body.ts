import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';

/**
 * Returns the whole body. Throws `payload_too_large` as soon as the limit is exceeded; `hint` adds an alternative to
 * the message.
 */
export async function readBody(raw: IncomingMessage, maxBytes: number, hint = ''): Promise<Buffer> {
  const tooLarge = () => new AppError('payload_too_large', { detail: `The body is too large.${hint}` });
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) reject(tooLarge());
      else chunks.push(chunk);
    };
    const fail = () => reject(cut());
    raw.on('data', take).once('error', fail).once('close', fail);
    raw.once('end', () => {
      resolve(Buffer.concat(chunks, size));
      // A stream may stay open long after its request was read.
      raw.off('data', take).off('error', fail).off('close', fail);
    });
  });
}

/** False for an empty body too; then no content type is required. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function cut(): AppError {
  return new AppError('malformed_body', { detail: 'The body ended before it was complete.' });
}
