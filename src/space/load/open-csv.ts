import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeText } from '../../files/decode-text.ts';

/** A CSV file as UTF-8, which can be read several times. */
export interface CsvSource {
  pieces(): AsyncIterable<Buffer>;
  /** A note about a guessed encoding. */
  note?: string;
}

/** Opens a file. UTF-8 is streamed; a file in another encoding is read whole, since its encoding is guessed. */
export async function openCsv(path: string): Promise<CsvSource> {
  if (await isUtf8(path)) return { pieces: () => createReadStream(path) };
  const name = basename(path);
  const { text, guessed, lost } = decodeText(await readFile(path));
  if (lost !== undefined) {
    const line = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
    throw new Error(`${name}:${line}: ${lost} characters cannot be decoded; save the file as UTF-8`);
  }
  const note = `${name} is not UTF-8 and was read as ${guessed}; save it as UTF-8 if letters are wrong`;
  return { pieces: () => cut(Buffer.from(text)), ...(guessed !== undefined && { note }) };
}

/** True if every byte is UTF-8 and none is zero, which hints at UTF-16 or a file that is no text. */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of createReadStream(path)) {
      if (piece.includes(0)) return false;
      decoder.decode(piece, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // thrown by the decoder
    throw error;
  }
}

const PIECE_BYTES = 64 * 1024;

async function* cut(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
