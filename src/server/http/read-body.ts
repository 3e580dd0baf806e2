import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';

/** The whole body, or `payload_too_large`, with the way on if there is one, as soon as that is known. */
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
      // A stream may stay open for long after its request was read.
      raw.off('data', take).off('error', fail).off('close', fail);
    });
  });
}

/** Nothing, not even an empty one: then no content type is needed either. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function cut(): AppError {
  return new AppError('malformed_body', { detail: 'The body ended before it was whole.' });
}
