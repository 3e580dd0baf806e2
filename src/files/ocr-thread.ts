import { parentPort, workerData } from 'node:worker_threads';
import { type Grey, type Scale, shrink } from './grey.ts';
import { type OcrEngine, startEngine } from './ocr-engine.ts';
import { Unreadable } from './unreadable.ts';

/** What a thread is asked, one thing at a time. */
export type OcrRequest = { decode: Uint8Array; orientation: number } | { recognize: Grey; scale: Scale };

/** What it answers; `refused` is for people. */
export type OcrAnswer = { grey: Grey } | { text: string } | { refused: string } | { failed: string };

/** The thread's side: an engine of its own that does what it is asked. */
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
