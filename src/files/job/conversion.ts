import { sanitizeText } from '../../tools/sanitize.ts';
import { startUsedTime } from './used-time.ts';

/** The interface of a converter to its job. Text is emitted as it is found, so that it survives later failures. */
export interface ConversionContext {
  /** Emits a piece of text; false = enough, stop. */
  emit(text: string): boolean;
  /** Reports progress to people who wait, such as "page 3 of 50". */
  progress(text: string): void;
  /** Whether the time is nearly used up; then stop and report what is left out. */
  isLate(): boolean;
  /** Languages of text in pictures, such as "eng". */
  languages: readonly string[];
  /** The folder with data of languages that are not included. */
  languageFolder?: string | undefined;
}

/** The result of a conversion. */
export interface Conversion {
  /** For example "3 pages". */
  size?: string;
  /** Missing parts of the text, each as a phrase: "page 3 is damaged". Empty = everything was read. */
  left: string[];
}

/** Reads one type of file. Throws `Unreadable` if it cannot be read. */
export type Convert = (bytes: Buffer, context: ConversionContext) => Promise<Conversion>;

export function count(number: number, one: string): string {
  return `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`;
}

export interface ConversionJob {
  languages: readonly string[];
  languageFolder?: string | undefined;
  textChars: number;
  softMs: number;
}

export interface ConversionOutput {
  onText(text: string): void;
  onProgress(text: string): void;
}

/** Converts one file and emits its text, sanitized and within its limit. Throws `Unreadable` if it cannot be read. */
export async function runConversion(
  convert: (context: ConversionContext) => Promise<Conversion>,
  job: ConversionJob,
  output: ConversionOutput,
): Promise<Conversion> {
  const used = startUsedTime();
  let room = job.textChars;
  let isCut = false;
  const { left, ...rest } = await convert({
    emit(found) {
      const text = sanitizeText(found);
      const kept = text.slice(0, room);
      room -= kept.length;
      isCut ||= kept.length < text.length;
      if (kept !== '') output.onText(kept);
      return !isCut;
    },
    progress: output.onProgress,
    isLate: () => used.ms() > job.softMs,
    languages: job.languages,
    languageFolder: job.languageFolder,
  });
  const cut = isCut ? [`only the first ${job.textChars.toLocaleString('en-US')} characters are kept`] : [];
  return { ...rest, left: [...left, ...cut] };
}
