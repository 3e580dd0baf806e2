import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerFunction } from './function-protocol.ts';

/** Runs the functions of an agent's folder in their own thread. Imports none of our code: it is a separate file. */
type AuthorFunction = (args: unknown, context: object) => unknown;

const MAX_RESULT_CHARS = 1_000_000;
const functions = new Map<string, AuthorFunction>();
const running = new Map<number, AbortController>();

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

async function load({ name, path, exportName }: WorkerFunction): Promise<void> {
  try {
    const exported = (await import(pathToFileURL(path).href))[exportName];
    if (typeof exported !== 'function') throw new Error(`it has no function named ${exportName}`);
    functions.set(name, exported);
    send({ type: 'loaded', name });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { headline, log } = describe(error);
    send({ type: 'loaded', name, fault: { message, headline, log } });
  }
}

async function call({ id, callId, name, args, user }: Extract<ToWorker, { type: 'call' }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  send({ type: 'started', id });
  try {
    const progress = (text: unknown) => send({ type: 'progress', id, text: String(text) });
    const context = { user, signal: stop.signal, progress, callId };
    const result = await functions.get(name)?.(args, context);
    const json = JSON.stringify(result ?? null) ?? 'null';
    send({ type: 'returned', id, json: json.slice(0, MAX_RESULT_CHARS), length: json.length });
  } catch (error) {
    send({ type: 'threw', id, ...describe(error) });
  } finally {
    running.delete(id);
  }
}

/** Only errors that their author marks with `expose: true` are shown to the user. Others go to the log. */
function describe(error: unknown): { words?: string; headline: string; log: string } {
  const log = error instanceof Error ? String(error.stack ?? error.message) : String(error);
  const isMeant = error instanceof Error && 'expose' in error && error.expose === true;
  const headline = error instanceof Error ? `${error.name}: ${error.message}` : `threw ${String(error)}`;
  return isMeant ? { words: error.message, headline, log } : { headline, log };
}

// Source maps make stack traces point to the source of compiled code.
process.setSourceMapsEnabled(true);

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'call') void call(message);
  if (message.type === 'abort') {
    running.get(message.id)?.abort();
    send({ type: 'received', id: message.id });
  }
});

for (const each of (workerData as { functions: WorkerFunction[] }).functions) await load(each);
send({ type: 'ready' });
