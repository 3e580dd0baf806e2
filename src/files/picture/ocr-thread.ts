import { parentPort, workerData } from 'node:worker_threads';
import { Unreadable } from '../unreadable.ts';
import { type Grey, type Scale, shrink } from './grey.ts';
import { type OcrEngine, startEngine } from './ocr-engine.ts';

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
