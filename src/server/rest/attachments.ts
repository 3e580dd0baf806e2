import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { type AttachedFile, createSpool, type Spool, typeOfName } from '../../runtime/files/attached-file.ts';
import { MAX_FILES } from '../../schema/conversation/chat.ts';
import { FileContent, MimeType } from '../../schema/file.ts';
import type { Path } from '../../yaml/problem.ts';
import { invalidAt, parseRequest } from '../http/parse.ts';

const MB = 1024 * 1024;
export const MAX_FILE_BYTES = 50 * MB;
export const MAX_TOTAL_BYTES = 100 * MB;
/** Limit for all files inside JSON; larger ones need a form. */
const MAX_INLINE_BYTES = 20 * MB;
/** The files as base64, plus room for the rest of the request. */
export const MAX_JSON_BYTES = 28 * MB;

const MAX_NAME = 255;
const MAX_ADDRESS = 2_000;
const BY_ADDRESS = 'was given as a URL; only files sent with the message are read';
const UNKNOWN_TYPE = 'application/octet-stream';
const { content: Base64 } = FileContent.unwrap().shape;

/** A file of an unsupported kind; `refused` becomes its verdict. */
export interface UnreadFile {
  filename?: string;
  mime_type: string;
  refused: string;
  /** Part of the hash that distinguishes two requests. */
  origin: string;
  content?: string;
}

/** The files of a JSON request, within the JSON size limits. Their content is checked later. */
export function decodeFiles(files: readonly (FileContent | UnreadFile)[]): AttachedFile[] {
  if (files.length > MAX_FILES) throw tooManyFiles();
  const total = files.reduce((sum, file) => sum + decodedBytes(file.content ?? ''), 0);
  if (total > MAX_INLINE_BYTES) {
    throw tooLarge('The files inside this JSON are larger than 20 MB in total. Send them as multipart/form-data.');
  }
  return files.map((file, index) => ('refused' in file ? unreadFile(file, index) : decodeFile(file, index)));
}

/** Invalid base64 fails the request, with the path where the client put it. */
export function dataFile(value: unknown, mimeType: string | null | undefined, place: Path): FileContent | UnreadFile {
  const content = parseRequest(Base64, value, place);
  const type = MimeType.safeParse(mimeType);
  if (type.success) return { content, mime_type: type.data };
  const mime_type = mimeType ?? UNKNOWN_TYPE;
  return { mime_type, refused: `has a type that is not read: ${mime_type}`, origin: content, content };
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i;

/** A file given by an address: a data URL holds it, and any other address is refused by its verdict. */
export function addressedFile(
  address: string,
  mimeType: string | null | undefined,
  place: Path,
): FileContent | UnreadFile {
  const head = DATA_URL.exec(address);
  if (!head) return byAddress(address.slice(0, MAX_ADDRESS), mimeType);
  return dataFile(address.slice(head[0].length), mimeType ?? head[1], place);
}

/** Nothing is fetched. */
export function byAddress(address: string, mimeType: string | null | undefined): UnreadFile {
  const filename = basename(URL.parse(address)?.pathname ?? '').slice(0, MAX_NAME);
  const name = filename ? { filename } : {};
  return { mime_type: mimeType ?? UNKNOWN_TYPE, refused: BY_ADDRESS, origin: address, ...name };
}

/** Releases the bytes once they have been read, because the turn may run much longer. */
function decodeFile({ filename, mime_type, content }: FileContent, index: number): AttachedFile {
  let bytes: Buffer | undefined = Buffer.from(content, 'base64');
  return {
    filename: filename ?? nameOf(index),
    mime_type,
    size: bytes.length,
    open: () => Readable.from(bytes ? [bytes] : []),
    async discard() {
      bytes = undefined;
    },
  };
}

function unreadFile({ filename, mime_type, refused, origin, content = '' }: UnreadFile, index: number): AttachedFile {
  const name = filename ?? nameOf(index);
  return { filename: name, mime_type, size: decodedBytes(content), refused, open: () => Readable.from([origin]) };
}

function nameOf(index: number): string {
  return `file-${index + 1}`;
}

function decodedBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** The type of a file in a form. For the generic octet-stream type the file name decides. */
function formFileType(index: number, declared: string, filename: string): MimeType {
  const named = declared === 'application/octet-stream' ? typeOfName(filename) : undefined;
  return parseRequest(MimeType, named ?? declared, ['files', index, 'mime_type']);
}

export function tooManyFiles(): AppError {
  return invalidAt({ path: ['files'], message: `must have at most ${MAX_FILES} entries` });
}

export function tooLarge(detail: string): AppError {
  return new AppError('payload_too_large', { detail });
}

export function brokenForm(cause: unknown): AppError {
  return new AppError('malformed_body', {
    detail: 'The form could not be parsed. Send valid multipart/form-data.',
    cause,
  });
}

/** Writes the files of a form to disk as they arrive, so that no file is ever completely in memory. */
export interface Intake {
  /** Rejects as soon as the file is not acceptable. */
  take(stream: Readable, file: { filename: string; mimeType: string }): Promise<void>;
  /** All files in the order of the form, once the last byte is written. */
  files(): Promise<AttachedFile[]>;
  discard(): Promise<void>;
}

export function createIntake(): Intake {
  const taken: Promise<AttachedFile>[] = [];
  const spools: Spool[] = [];
  const streams: Readable[] = [];
  let total = 0;

  async function spoolFile(
    stream: Readable,
    index: number,
    { filename, mimeType }: { filename: string; mimeType: string },
  ) {
    const type = formFileType(index, mimeType, filename);
    const spool = await createSpool();
    spools.push(spool);
    for await (const chunk of stream) {
      total += chunk.length;
      if (total > MAX_TOTAL_BYTES)
        throw tooLarge('The files are larger than 100 MB in total. Send fewer or smaller files.');
      await spool.write(chunk);
    }
    const file = spool.toFile(filename, type);
    if (file.size === 0) throw invalidAt({ path: ['files', index, 'content'], message: 'must not be empty' });
    return file;
  }

  return {
    async take(stream, file) {
      streams.push(stream);
      // A part may emit its error before its first byte is read; an error without a listener would end the process.
      stream.on('error', (cause) => stream.destroy(brokenForm(cause)));
      const spooled = spoolFile(stream, taken.length, file);
      taken.push(spooled);
      await spooled;
    },
    files: () => Promise.all(taken),
    async discard() {
      // Destroy streams whose client is gone; awaiting them would never finish.
      for (const stream of streams) stream.destroy();
      await Promise.allSettled(taken);
      await Promise.allSettled(spools.map((spool) => spool.discard()));
    },
  };
}
