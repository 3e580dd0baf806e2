import { sanitizeText } from '../../tools/sanitize.ts';
import type { Conversion, ConversionContext } from './conversion.ts';
import { startUsedTime } from './used-time.ts';

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
