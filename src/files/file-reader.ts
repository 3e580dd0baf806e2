import { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { convertCsv, convertText } from './convert-text.ts';
import { checkType } from './detect.ts';
import { type ConversionContext, runConversion } from './job/conversion.ts';
import { type JobOptions, type ReadableFile, reasonOf, runJob } from './job/run-job.ts';
import { LIMITS } from './limits.ts';
import { createPlaces } from './places.ts';
import { type FileReading, toReading, Unreadable } from './reading.ts';

export interface FileReaderOptions {
  /** Documents read at once, over all turns; a picture counts as two. */
  slots?: number;
  clock?: Clock;
  /** Languages of text in pictures; English is included. */
  languages?: readonly string[];
  /** The folder with `<language>.traineddata.gz` of other languages. */
  languageFolder?: string | undefined;
  limits?: JobOptions['limits'];
  log?: Log | undefined;
}

interface ReadOptions {
  signal: AbortSignal;
  onProgress?(text: string): void;
}

/** Converts files to text, a few at a time. Each file has its own process, except small texts. Never throws. */
export interface FileReader {
  read(file: ReadableFile, options: ReadOptions): Promise<FileReading>;
  /** Stops current reads and accepts no more. */
  close(): void;
}

const DEFAULT_SLOTS = 2;
/** OCR needs about twice the memory of other reads. */
const PICTURE_PLACES = 2;

export function createFileReader(options: FileReaderOptions = {}): FileReader {
  const { clock = systemClock, languages = ['eng'], languageFolder, limits, log } = options;
  const closing = new AbortController();
  const places = createPlaces(options.slots ?? DEFAULT_SLOTS);

  return {
    async read(file, { signal, onProgress }) {
      if (file.size > LIMITS.fileBytes) return refused('is larger than 50 MB');
      const release = await places.take(file.mime_type.startsWith('image/') ? PICTURE_PLACES : 1);
      try {
        const either = AbortSignal.any([signal, closing.signal]);
        if (either.aborted) return refused(reasonOf(either));
        const job = { clock, signal: either, languages, languageFolder, log, ...(limits && { limits }) };
        if (!isSmallText(file)) return await runJob(file, { ...job, ...(onProgress && { onProgress }) });
        const fetched = await fetchSmall(file, either);
        if ('problem' in fetched) return refused(fetched.problem);
        if (isArchive(fetched.bytes)) return await runJob(withBytes(file, fetched.bytes), job);
        return await readSmallText(file, fetched.bytes, { textChars: limits?.textChars ?? LIMITS.textChars, log });
      } finally {
        release();
      }
    },
    close: () => closing.abort(),
  };
}

function refused(problem: string): FileReading {
  return toReading({ text: '', problem });
}

/**
 * Whether a file may be read in this process. This holds for texts only: their readers use time and memory in
 * proportion to the file's size, and yield to other work.
 */
function isSmallText({ mime_type, size }: ReadableFile): boolean {
  return mime_type.startsWith('text/') && size <= LIMITS.smallTextBytes;
}

/** The content of a small file, or the reason why it is not available. */
async function fetchSmall(file: ReadableFile, signal: AbortSignal): Promise<{ bytes: Buffer } | { problem: string }> {
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
function isArchive(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 2) === 'PK';
}

/** The same file, read from the fetched bytes. */
function withBytes(file: ReadableFile, bytes: Buffer): ReadableFile {
  return { ...file, open: () => Readable.from([bytes]) };
}

interface SmallTextOptions {
  textChars: number;
  log?: Log | undefined;
}

/** Reads a small text in this process. Never throws. */
async function readSmallText(file: ReadableFile, bytes: Buffer, options: SmallTextOptions): Promise<FileReading> {
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
