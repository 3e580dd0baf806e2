import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { LIMITS } from './limits.ts';
import { createPlaces } from './places.ts';
import { fetchSmall, isArchive, isSmallText, readSmallText, withBytes } from './read-small-text.ts';
import { type FileReading, toReading } from './reading.ts';
import { type JobOptions, type ReadableFile, reasonOf, runJob } from './run-job.ts';

export interface FileReaderOptions {
  /** Documents that are read at once, over all turns; a picture takes the room of two. */
  slots?: number;
  clock?: Clock;
  /** What pictures of text are read as; English comes with us. */
  languages?: readonly string[];
  /** Where `<language>.traineddata.gz` of other languages lie. */
  languageFolder?: string | undefined;
  limits?: JobOptions['limits'];
  log?: Log | undefined;
}

interface ReadOptions {
  signal: AbortSignal;
  onProgress?(text: string): void;
}

/** Turns files into text, a few at a time. Each file has a process of its own, except small texts; never throws. */
export interface FileReader {
  read(file: ReadableFile, options: ReadOptions): Promise<FileReading>;
  /** Ends what is being read and takes nothing more. */
  close(): void;
}

const DEFAULT_SLOTS = 2;
/** Recognising text needs about twice the memory of anything else. */
const PICTURE_PLACES = 2;

export function createFileReader(options: FileReaderOptions = {}): FileReader {
  const { clock = systemClock, languages = ['eng'], languageFolder, limits, log } = options;
  const closing = new AbortController();
  const places = createPlaces(options.slots ?? DEFAULT_SLOTS);

  return {
    async read(file, { signal, onProgress }) {
      if (file.size > LIMITS.fileBytes) return refused('is larger than 50 MB');
      const giveBack = await places.take(file.mime_type.startsWith('image/') ? PICTURE_PLACES : 1);
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
        giveBack();
      }
    },
    close: () => closing.abort(),
  };
}

function refused(problem: string): FileReading {
  return toReading({ text: '', problem });
}
