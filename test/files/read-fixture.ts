import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createFileReader } from '../../src/files/file-reader.ts';
import type { ConversionContext, Convert } from '../../src/files/job/conversion.ts';
import type { ReadableFile } from '../../src/files/job/run-job.ts';
import type { FileReading } from '../../src/files/reading.ts';
import type { MimeType } from '../../src/schema/file.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'files');

export function fixture(name: string): Buffer {
  return readFileSync(join(FOLDER, name));
}

export function fixtureText(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** The text of a file of another program; `expected.txt` has it after a line `=== name`. */
export function expectedText(name: string): string {
  const section = fixtureText('expected.txt')
    .split(/^=== /m)
    .find((part) => part.startsWith(`${name}\n`));
  return section?.slice(name.length + 1).replace(/\n$/, '') ?? '';
}

export function asFile(filename: string, mime_type: MimeType, bytes: Buffer): ReadableFile {
  return { filename, mime_type, size: bytes.length, open: () => Readable.from([bytes]) };
}

/** Reads bytes like the product: in a separate process. */
export async function readBytes(filename: string, mime_type: MimeType, bytes: Buffer): Promise<FileReading> {
  const reader = createFileReader();
  return reader.read(asFile(filename, mime_type, bytes), { signal: new AbortController().signal });
}

/** Runs a converter on bytes, in this process. */
export async function runConverter(convert: Convert, bytes: Buffer, context: Partial<ConversionContext> = {}) {
  let text = '';
  const emit = (piece: string) => {
    text += piece;
    return true;
  };
  const conversion = await convert(bytes, { emit, progress() {}, isLate: () => false, languages: ['eng'], ...context });
  return { text, ...conversion };
}
