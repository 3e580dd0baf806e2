import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Unreadable } from './unreadable.ts';

/** What is used of tesseract's WebAssembly build, which comes without types. */
interface TesseractCore {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => TesseractApi;
}
interface TesseractApi {
  Init(folder: string, languages: string, engine: number): number;
  SetImageFile(orientation: number, angle: number): number;
  SetVariable(name: string, value: string): boolean;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
}

const LSTM_ONLY = 1;
/** The one with the newest instructions first; a processor that lacks them gets the plain one. */
const BUILDS = ['relaxedsimd-lstm', 'lstm'];

/** Reads the text in a picture file (PNG, JPEG, GIF, WebP, or a PNM of ours). */
export type Recognize = (picture: Uint8Array, orientation: number) => string;

export interface RecognizerOptions {
  languages: readonly string[];
  languageFolder?: string | undefined;
}

/** Starts the engine: everything comes from files that are installed with us, or lie in the folder. */
export async function createRecognizer({ languages, languageFolder }: RecognizerOptions): Promise<Recognize> {
  const core = await startCore();
  for (const language of languages) {
    core.FS.writeFile(`/${language}.traineddata`, readLanguage(language, languageFolder));
  }
  const api = new core.TessBaseAPI();
  if (api.Init('/', languages.join('+'), LSTM_ONLY) !== 0) throw new Error('tesseract did not start');
  return (picture, orientation) => {
    core.FS.writeFile('/input', picture);
    if (api.SetImageFile(orientation, 0) !== 0) throw new Unreadable('is damaged: the picture cannot be decoded');
    api.Recognize(null);
    return api.GetUTF8Text().trim();
  };
}

const require = createRequire(import.meta.url);
/** Beside the bundle the files lie in a folder of their own; the sources use the packages. */
const isBundled = !import.meta.url.endsWith('.ts');

async function startCore(): Promise<TesseractCore> {
  let failure: unknown;
  for (const build of BUILDS) {
    const core = `tesseract-core-${build}`;
    try {
      const start = require(
        isBundled ? join(import.meta.dirname, 'ocr', `${core}.cjs`) : `tesseract.js-core/${core}.js`,
      );
      return await start({ print: () => {}, printErr: () => {} });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function readLanguage(language: string, folder: string | undefined): Uint8Array {
  const file = `${language}.traineddata.gz`;
  try {
    if (folder !== undefined && existsSync(join(folder, file))) return gunzipSync(readFileSync(join(folder, file)));
    if (isBundled) return gunzipSync(readFileSync(join(import.meta.dirname, 'ocr', file)));
    const data = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
    return gunzipSync(readFileSync(join(data, '4.0.0_best_int', file)));
  } catch {
    throw new Unreadable(`cannot be read: the data to recognise "${language}" is not installed`);
  }
}
