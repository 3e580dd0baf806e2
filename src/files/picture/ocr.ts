import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { childFile } from '../job/job.ts';
import { Unreadable } from '../reading.ts';
import { AS_IT_IS, type PagePlan, planPage } from './cut-page.ts';
import { decodePng } from './decode-png.ts';
import { cropRows, type Grey } from './grey.ts';
import type { OcrAnswer, OcrLanguages, OcrRequest } from './ocr-engine.ts';

/** Recognizes text in pictures. */
export interface Recognizer {
  /** The text of a picture file (PNG, JPEG, GIF, WebP); `orientation` as in EXIF. */
  readFile(file: Buffer, orientation: number): Promise<string>;
  readPixels(grey: Grey): Promise<string>;
}

/** Each thread takes about 60 MB. */
const MAX_THREADS = 3;
/** A smaller picture is not worth a second thread. */
const PIXELS_PER_THREAD = 1_500_000;

/** By default a thread reserves 512 MB for code, more than the kernel allows a job. */
const CODE_MB = 32;

interface RecognizerOptions extends OcrLanguages {
  /** Size of the pictures to come. */
  pixels: number;
}

/** Starts the threads at once, so that they are ready when the picture is decoded. */
export function createRecognizer({ pixels, languages, languageFolder }: RecognizerOptions): Recognizer {
  const wanted = Math.min(MAX_THREADS, availableParallelism(), Math.ceil(pixels / PIXELS_PER_THREAD));
  const threads = Array.from({ length: wanted }, () => startThread({ languages, languageFolder }));
  const [first] = threads;
  // The scaling was measured for this alphabet only.
  const isEnglish = languages.every((language) => language === 'eng');
  if (!first) throw new Error('a picture has pixels');

  const readPixels = async (grey: Grey) => {
    const plan = planPage(grey, threads.length);
    const { bands } = plan;
    const scale = isEnglish ? plan.scale : AS_IT_IS;
    const texts = bands.map(async ({ from, to }, index) => {
      const answer = await (threads[index] ?? first)({ recognize: cropRows(grey, from, to), scale });
      return 'text' in answer ? answer.text : '';
    });
    return join(bands, await Promise.all(texts));
  };

  return {
    readPixels,
    async readFile(file, orientation) {
      const isPng = file[0] === 0x89;
      const grey = (isPng ? await decodePng(file) : undefined) ?? (await decodeIn(first, file, orientation));
      return readPixels(grey);
    },
  };
}

type Ask = (request: OcrRequest) => Promise<OcrAnswer>;

async function decodeIn(ask: Ask, file: Buffer, orientation: number): Promise<Grey> {
  const answer = await ask({ decode: file, orientation });
  if ('grey' in answer) return answer.grey;
  throw new Error('the picture was not decoded');
}

function join(bands: PagePlan['bands'], texts: readonly string[]): string {
  return bands
    .map(({ separator }, index) => `${texts[index]}${separator}`)
    .join('')
    .trim();
}

/** A thread answers requests in order. Refusals are thrown as `Unreadable`. */
function startThread(languages: OcrLanguages): Ask {
  const path = childFile();
  const thread = new Worker(path, { workerData: languages, resourceLimits: { codeRangeSizeMb: CODE_MB } });
  thread.unref();
  const waiting: PromiseWithResolvers<OcrAnswer>[] = [];
  thread.on('message', (answer: OcrAnswer) => settle(waiting.shift(), answer));
  thread.on('error', (error) => {
    for (const one of waiting.splice(0)) one.reject(error);
  });
  return (request) => {
    const asked = Promise.withResolvers<OcrAnswer>();
    waiting.push(asked);
    const pixels = 'decode' in request ? [] : [request.recognize.data.buffer as ArrayBuffer];
    thread.postMessage(request, pixels);
    return asked.promise;
  };
}

function settle(asked: PromiseWithResolvers<OcrAnswer> | undefined, answer: OcrAnswer): void {
  if ('refused' in answer) asked?.reject(new Unreadable(answer.refused));
  else if ('failed' in answer) asked?.reject(new Error(answer.failed));
  else asked?.resolve(answer);
}
