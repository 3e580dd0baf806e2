import type { Clock } from '../clock.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Log } from '../log.ts';

/** Which languages the text in pictures may be in, and where their data lies. */
export interface OcrOptions {
  languages: readonly string[];
  /** Holds `<language>.traineddata.gz`; English needs none. */
  folder?: string;
}

export interface LazyReader {
  openReader(): Promise<FileReader>;
  close(): Promise<void>;
}

/** The reader of attached files, made when the first file comes: most runs never need it. */
export function createLazyReader({ clock, log, ocr }: { clock?: Clock; log?: Log; ocr?: OcrOptions }): LazyReader {
  let reader: Promise<FileReader> | undefined;
  const open = async () => {
    const { createFileReader } = await import('../files/file-reader.ts');
    const languages = ocr && { languages: ocr.languages, languageFolder: ocr.folder };
    return createFileReader({ ...(clock && { clock }), ...(log && { log }), ...languages });
  };
  return {
    openReader() {
      reader ??= open();
      return reader;
    },
    async close() {
      (await reader)?.close();
    },
  };
}
