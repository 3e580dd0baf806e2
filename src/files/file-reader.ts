import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type JobOptions, type ReadableFile, reasonOf, runJob } from './job/run-job.ts';
import { LIMITS } from './limits.ts';
import { createPlaces } from './places.ts';
import { fetchSmall, isArchive, isSmallText, readSmallText, withBytes } from './read-small-text.ts';
import { type FileReading, toReading } from './reading.ts';

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
