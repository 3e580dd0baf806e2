import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { Unreadable } from '../reading.ts';
import { damaged } from './decode-png.ts';
import { type Grey, type Scale, shadeOf, shrink, toPgm, turnUpright } from './grey.ts';

/** The parts in use of tesseract's WebAssembly build, which has no types. */
interface TesseractCore {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => TesseractApi;
  Pix: object;
  wrapPointer(pointer: number, type: object): TesseractPicture;
  setValue(pointer: number, value: number, type: 'i32'): void;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _pixReadMem(pointer: number, bytes: number): number;
  /** Takes the address of the pointer to the picture. */
  _pixDestroy(place: number): void;
}
interface TesseractApi {
  Init(folder: string, languages: string, engine: number): number;
  SetImageFile(orientation: number, angle: number): number;
  GetInputImage(): TesseractPicture;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  Clear(): void;
}
interface TesseractPicture {
  get_w(): number;
  get_h(): number;
  /** Bits per pixel. */
  get_d(): number;
  /** Samples per pixel; the fourth is alpha. */
  get_spp(): number;
  /** 32-bit words per row. */
  get_wpl(): number;
  /** The address of the words; the first pixel is in the high bits of the first word. */
  get_data(): number;
  get_colormap(): { ptr?: number } | number;
}

/** The parts in use of WebAssembly, whose types belong to the browser library. */
interface WasmMemory {
  buffer: ArrayBuffer;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
  Memory: new (size: { initial: number }) => WasmMemory;
};

const LSTM_ONLY = 1;
const UPRIGHT = 1;
/** The build with the newest instructions first; other processors get the plain one. */
const BUILDS = ['relaxedsimd-lstm', 'lstm'];

/** A tesseract instance: it does one thing at a time and blocks meanwhile. */
interface OcrEngine {
  /** The pixels of a picture file (PNG, JPEG, GIF, WebP), rotated upright. */
  decode(file: Uint8Array, orientation: number): Grey;
  recognize(picture: Grey): string;
}

export interface OcrLanguages {
  languages: readonly string[];
  languageFolder?: string | undefined;
}

/** Starts the engine. Everything is read from files that are installed with the package or are in the folder. */
async function startEngine({ languages, languageFolder }: OcrLanguages): Promise<OcrEngine> {
  const { core, memory } = await startCore();
  for (const language of languages) {
    core.FS.writeFile(`/${language}.traineddata`, readLanguage(language, languageFolder));
  }
  const api = new core.TessBaseAPI();
  if (api.Init('/', languages.join('+'), LSTM_ONLY) !== 0) throw new Error('tesseract did not start');
  const load = (file: Uint8Array) => {
    core.FS.writeFile('/input', file);
    if (api.SetImageFile(UPRIGHT, 0) !== 0) throw damaged();
  };
  const decodePalette = (file: Uint8Array) => {
    load(file);
    const grey = toGrey(api.GetInputImage(), memory);
    api.Clear();
    return grey;
  };
  return {
    decode: (file, orientation) => turnUpright(decodeColours(core, memory, file) ?? decodePalette(file), orientation),
    recognize(picture) {
      load(toPgm(picture));
      api.Recognize(null);
      return api.GetUTF8Text().trim();
    },
  };
}

/** Decodes without the copies that the engine makes of its current picture; undefined if it has a palette. */
function decodeColours(core: TesseractCore, memory: WasmMemory, file: Uint8Array): Grey | undefined {
  const bytes = core._malloc(file.length);
  new Uint8Array(memory.buffer).set(file, bytes);
  const pointer = core._pixReadMem(bytes, file.length);
  core._free(bytes);
  if (pointer === 0) throw damaged();
  const picture = core.wrapPointer(pointer, core.Pix);
  const grey = hasPalette(picture) ? undefined : toGrey(picture, memory);
  const place = core._malloc(4);
  core.setValue(place, pointer, 'i32');
  core._pixDestroy(place);
  core._free(place);
  return grey;
}

function hasPalette(picture: TesseractPicture): boolean {
  const palette = picture.get_colormap();
  return (typeof palette === 'number' ? palette : (palette.ptr ?? 0)) !== 0;
}

function toGrey(picture: TesseractPicture, memory: WasmMemory): Grey {
  const [width, height, depth, wordsPerRow] = [picture.get_w(), picture.get_h(), picture.get_d(), picture.get_wpl()];
  const words = new Uint32Array(memory.buffer, picture.get_data(), wordsPerRow * height);
  const data = new Uint8Array(width * height);
  const perWord = 32 / depth;
  const isClear = picture.get_spp() === 4;
  for (let y = 0; y < height; y++) {
    const row = y * wordsPerRow;
    for (let x = 0; x < width; x++) {
      const word = words[row + Math.floor(x / perWord)] as number;
      data[y * width + x] = depth === 32 ? shadeOfWord(word, isClear) : shadeOfBits(word, (x % perWord) * depth, depth);
    }
  }
  return { width, height, data };
}

/** Transparent pixels count as white paper. */
function shadeOfWord(word: number, isClear: boolean): number {
  const shade = shadeOf(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255);
  return isClear ? 255 - Math.round(((255 - shade) * (word & 255)) / 255) : shade;
}

/** In a picture of one bit a pixel, 1 is black. */
function shadeOfBits(word: number, at: number, depth: number): number {
  const most = 2 ** depth - 1;
  const value = (word >>> (32 - at - depth)) & most;
  return depth === 1 ? 255 * (1 - value) : Math.round((value * 255) / most);
}

const require = createRequire(import.meta.url);
/** Beside the bundle the files lie in a folder of their own; the sources use the packages. */
const isBundled = !import.meta.url.endsWith('.ts');

async function startCore(): Promise<{ core: TesseractCore; memory: WasmMemory }> {
  let failure: unknown;
  for (const build of BUILDS) {
    try {
      return await startBuild(`tesseract-core-${build}`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function startBuild(name: string): Promise<{ core: TesseractCore; memory: WasmMemory }> {
  const folder = isBundled ? join(import.meta.dirname, 'ocr') : dirname(require.resolve('tesseract.js-core'));
  const start = require(join(folder, isBundled ? `${name}.cjs` : `${name}.js`));
  const module = await WebAssembly.compile(readFileSync(join(folder, `${name}.wasm`)));
  let memory: WasmMemory | undefined;
  const instantiateWasm = (imports: object, done: (instance: object) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    done(instance);
    return instance.exports;
  };
  const core: TesseractCore = await start({ print: () => {}, printErr: () => {}, instantiateWasm });
  if (!memory) throw new Error('tesseract has no memory of its own');
  return { core, memory };
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

/** A request to a thread, one at a time. */
export type OcrRequest = { decode: Uint8Array; orientation: number } | { recognize: Grey; scale: Scale };

/** The answer of a thread; `refused` is a message for people. */
export type OcrAnswer = { grey: Grey } | { text: string } | { refused: string } | { failed: string };

/** Runs in the thread: answers requests with its own engine. */
export async function serveRequests(): Promise<void> {
  const engine = startEngine(workerData);
  engine.catch(() => {});
  parentPort?.on('message', async (request: OcrRequest) => {
    const answer = await engine.then((ready) => answerTo(ready, request)).catch(toFailure);
    parentPort?.postMessage(answer, 'grey' in answer ? [answer.grey.data.buffer as ArrayBuffer] : []);
  });
}

function answerTo(engine: OcrEngine, request: OcrRequest): OcrAnswer {
  if ('decode' in request) return { grey: engine.decode(request.decode, request.orientation) };
  return { text: engine.recognize(shrink(request.recognize, request.scale)) };
}

function toFailure(error: unknown): OcrAnswer {
  return error instanceof Unreadable ? { refused: error.message } : { failed: String(error) };
}
