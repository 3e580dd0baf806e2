import type { Clock } from '../../clock.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { Log } from '../../log.ts';

/** Languages of text in pictures, and the folder of their OCR data. */
export interface OcrOptions {
  languages: readonly string[];
  /** Contains `<language>.traineddata.gz`; English needs none. */
  folder?: string;
}

export interface LazyReader {
  openReader(): Promise<FileReader>;
  close(): Promise<void>;
}

interface LazyReaderOptions {
  clock?: Clock;
  log?: Log;
  ocr?: OcrOptions;
  /** Stands between the reader and its users. */
  wrap?: ((reader: FileReader) => FileReader) | undefined;
}

/** The reader of attached files, created with the first file because most runs never need it. */
export function createLazyReader({ clock, log, ocr, wrap }: LazyReaderOptions): LazyReader {
  let reader: Promise<FileReader> | undefined;
  const open = async () => {
    const { createFileReader } = await import('../../files/file-reader.ts');
    const languages = ocr && { languages: ocr.languages, languageFolder: ocr.folder };
    const opened = createFileReader({ ...(clock && { clock }), ...(log && { log }), ...languages });
    return wrap?.(opened) ?? opened;
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
