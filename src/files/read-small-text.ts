import { Readable } from 'node:stream';
import type { Log } from '../log.ts';
import { convertCsv } from './convert-csv.ts';
import { convertText } from './convert-text.ts';
import { checkType } from './detect.ts';
import type { ConversionContext } from './job/conversion.ts';
import { runConversion } from './job/run-conversion.ts';
import { type ReadableFile, reasonOf } from './job/run-job.ts';
import { LIMITS } from './limits.ts';
import { type FileReading, toReading } from './reading.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Whether a file may be read in this process. This holds for texts only: their readers use time and memory in
 * proportion to the file's size, and yield to other work.
 */
export function isSmallText({ mime_type, size }: ReadableFile): boolean {
  return mime_type.startsWith('text/') && size <= LIMITS.smallTextBytes;
}

/** The content of a small file, or the reason why it is not available. */
export async function fetchSmall(
  file: ReadableFile,
  signal: AbortSignal,
): Promise<{ bytes: Buffer } | { problem: string }> {
  const source = file.open();
  const chunks: Buffer[] = [];
  let size = 0;
  const onAbort = () => source.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > LIMITS.smallTextBytes) return { problem: 'is larger than it was said to be' };
      chunks.push(Buffer.from(chunk));
    }
    return signal.aborted ? { problem: reasonOf(signal) } : { bytes: Buffer.concat(chunks) };
  } catch {
    return { problem: signal.aborted ? reasonOf(signal) : 'could not be read from where it was kept' };
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.destroy();
  }
}

/** Whether a declared text is an archive; archives are opened only in a separate process. */
export function isArchive(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 2) === 'PK';
}

/** The same file, read from the fetched bytes. */
export function withBytes(file: ReadableFile, bytes: Buffer): ReadableFile {
  return { ...file, open: () => Readable.from([bytes]) };
}

export interface SmallTextOptions {
  textChars: number;
  log?: Log | undefined;
}

/** Reads a small text in this process. Never throws. */
export async function readSmallText(
  file: ReadableFile,
  bytes: Buffer,
  options: SmallTextOptions,
): Promise<FileReading> {
  const job = { languages: [], textChars: options.textChars, softMs: LIMITS.softMs };
  let text = '';
  const onText = (piece: string) => {
    text += piece;
  };
  const convert = async (context: ConversionContext) => {
    await checkType(bytes, file.mime_type);
    return file.mime_type === 'text/csv' ? convertCsv(bytes, context) : convertText(bytes, context);
  };
  try {
    const end = await runConversion(convert, job, { onText, onProgress() {} });
    return toReading({ text, end });
  } catch (error) {
    if (error instanceof Unreadable) return toReading({ text, problem: error.message });
    options.log?.('a file could not be read', { file: file.filename, reason: String(error) });
    return toReading({ text, problem: 'is damaged and cannot be read' });
  }
}
