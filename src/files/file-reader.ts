import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { LIMITS } from './limits.ts';
import { type FileReading, toReading } from './reading.ts';
import { type JobOptions, type ReadableFile, runJob } from './run-job.ts';

export interface FileReaderOptions {
  /** Files that are read at once, over all turns. */
  slots?: number;
  clock?: Clock;
  /** What pictures of text are read as; English comes with us. */
  languages?: readonly string[];
  /** Where `<language>.traineddata.gz` of other languages lie. */
  languageFolder?: string | undefined;
  limits?: JobOptions['limits'];
  log?: Log | undefined;
}

export interface ReadOptions {
  signal: AbortSignal;
  onProgress?(text: string): void;
}

/** Turns files into text. Each file has a process of its own, a few at a time; never throws. */
export interface FileReader {
  read(file: ReadableFile, options: ReadOptions): Promise<FileReading>;
  /** Ends what is being read and takes nothing more. */
  close(): void;
}

const DEFAULT_SLOTS = 2;

export function createFileReader(options: FileReaderOptions = {}): FileReader {
  const { clock = systemClock, languages = ['eng'], languageFolder, limits, log } = options;
  const closing = new AbortController();
  const waiting: (() => void)[] = [];
  let free = options.slots ?? DEFAULT_SLOTS;

  const take = async (): Promise<void> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
  };
  const giveBack = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };

  return {
    async read(file, { signal, onProgress }) {
      if (file.size > LIMITS.fileBytes) return refused('is larger than 50 MB');
      await take();
      try {
        const either = AbortSignal.any([signal, closing.signal]);
        if (either.aborted) return refused('was not read: the turn was stopped');
        const job = { clock, signal: either, languages, languageFolder, log, ...(limits && { limits }) };
        return await runJob(file, { ...job, ...(onProgress && { onProgress }) });
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
