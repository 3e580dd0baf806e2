import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, invalidRequest } from '../../errors.ts';
import { cleanName } from '../../files/clean-name.ts';
import type { ReadableFile } from '../../files/job/run-job.ts';
import { systemIds } from '../../ids.ts';
import { MAX_FILES } from '../../schema/conversation/chat.ts';
import type { FileNote, MimeType } from '../../schema/file.ts';

const MAX_FILES_BYTES = 100 * 1024 * 1024;

/** A file passed in by a front. It can be opened repeatedly until it is discarded. */
export interface AttachedFile extends Omit<ReadableFile, 'mime_type'> {
  /** A supported type, unless the file is refused. */
  mime_type: string;
  /** The reason if the file is not read; it becomes the file's verdict. */
  refused?: string;
  discard?(): Promise<void>;
}

const EXTENSIONS: Record<string, MimeType> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
};

/** The type for a file name's extension, if that type is supported. */
export function typeOfName(name: string): MimeType | undefined {
  return EXTENSIONS[extname(name).toLowerCase()];
}

export function fileFromBytes(filename: string, mime_type: MimeType, bytes: Uint8Array): AttachedFile {
  return {
    filename,
    mime_type,
    size: bytes.length,
    open: () => Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]),
  };
}

/** Opens a local file by its path. An unknown extension counts as plain text. */
export async function fileFromPath(path: string): Promise<AttachedFile> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new AppError('invalid_request', { detail: `There is no file ${path}.` });
  if (found.size === 0) throw new AppError('invalid_request', { detail: `${path} is empty.` });
  const mime_type = typeOfName(path) ?? 'text/plain';
  return { filename: basename(path), mime_type, size: found.size, open: () => createReadStream(path) };
}

/** Disk space for an incoming upload. Its file is unlinked at once, so nothing remains after a crash. */
export interface Spool {
  write(chunk: Uint8Array): Promise<void>;
  /** Everything written so far, as a file. */
  toFile(filename: string, mime_type: MimeType): AttachedFile;
  discard(): Promise<void>;
}

export async function createSpool(): Promise<Spool> {
  const handle = await openUnnamed();
  let size = 0;
  let isOpen = true;
  const discard = async () => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  return {
    async write(chunk) {
      await handle.write(chunk, 0, chunk.length, size);
      size += chunk.length;
    },
    toFile: (filename, mime_type) => ({
      filename,
      mime_type,
      size,
      open: () => Readable.from(readHandle(handle, size)),
      discard,
    }),
    discard,
  };
}

/** The file is unlinked before any write, so no content remains however the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `holodeck-upload-${systemIds.uuid()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

const CHUNK_BYTES = 256 * 1024;

async function* readHandle(handle: FileHandle, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < size; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK_BYTES, size - at)), { position: at });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Returns the files with cleaned names. Throws if there are too many or their total size is too large. */
export function cleanFiles(files: readonly AttachedFile[]): AttachedFile[] {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > MAX_FILES_BYTES)
    throw new AppError('payload_too_large', {
      detail: 'The files are larger than 100 MB in total. Send fewer or smaller files.',
    });
  if (files.length > MAX_FILES) throw invalidRequest([{ path: 'files', message: `at most ${MAX_FILES} files` }]);
  return files.map((file) => ({ ...file, filename: cleanName(file.filename) }));
}

/** The description of the files that is stored with the message. */
export function noteFiles(files: readonly AttachedFile[]): { files?: FileNote[] } {
  if (files.length === 0) return {};
  return { files: files.map(({ filename, mime_type, size }) => ({ filename, mime_type, size })) };
}

/** Hashes that distinguish requests which differ only in a file. */
export async function digestFiles(files: readonly AttachedFile[]): Promise<string[]> {
  const digests: string[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    for await (const chunk of file.open()) hash.update(chunk);
    digests.push(`${file.mime_type} ${file.filename} ${hash.digest('hex')}`);
  }
  return digests;
}

export async function discardFiles(files: readonly AttachedFile[] | undefined): Promise<void> {
  await Promise.allSettled((files ?? []).map((file) => file.discard?.()));
}
