import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { Outcome } from './commit-group.ts';
import type { Operation, OperationName, Operations, Runner } from './operations/run-operation.ts';

export interface WriterOptions {
  path: string;
  runner: Runner;
  busyTimeoutMs: number;
}

export type ToWorker = { id: number; operation: Operation }[] | 'close';
export type FromWorker = { id: number; outcome: Outcome }[];

/** The main thread's end of the one thread that writes. */
export interface Writer {
  /** Resolves when the operation is on the disk. */
  submit<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>;
  /** Everything submitted before is written first. */
  close(): Promise<void>;
}

/** Starts the thread at once; one that dies is replaced at the next write. An idle writer keeps no process alive. */
export function createWriter(options: WriterOptions): Writer {
  const waiting = createWaitingList();
  let queue: { id: number; operation: Operation }[] = [];
  let lastId = 0;
  let closed: Promise<void> | undefined;
  let worker: Worker | undefined = start();

  function start(): Worker {
    const file = new URL(`./writer-worker${extname(import.meta.url)}`, import.meta.url);
    const started = new Worker(file, { name: 'store-writer', workerData: options });
    let failure: unknown;
    started.unref();
    started.on('message', settle);
    started.on('error', (error) => {
      failure = error;
    });
    started.on('exit', () => {
      worker = undefined;
      queue = [];
      waiting.rejectAll(unavailable('The store stopped writing.', failure));
    });
    return started;
  }

  function settle(answers: FromWorker): void {
    waiting.settle(answers);
    if (waiting.isEmpty() && !closed) worker?.unref();
  }

  function flush(): void {
    if (queue.length === 0) return;
    worker ??= start();
    worker.ref();
    worker.postMessage(queue satisfies ToWorker);
    queue = [];
  }

  /** A write alone goes out at once; under load, what one round of the event loop submits goes out together. */
  function scheduleFlush(): void {
    if (waiting.isEmpty()) queueMicrotask(flush);
    else setImmediate(flush);
  }

  function submit(operation: Operation): Promise<unknown> {
    if (closed) return Promise.reject(unavailable('The store is closed.'));
    if (queue.length === 0) scheduleFlush();
    const id = ++lastId;
    queue.push({ id, operation });
    return waiting.add(id);
  }

  function close(): Promise<void> {
    closed ??= new Promise((resolve) => {
      flush();
      if (!worker) return resolve();
      worker.ref();
      worker.once('exit', () => resolve());
      worker.postMessage('close' satisfies ToWorker);
    });
    return closed;
  }

  return {
    // The casts: a name goes with its own input, and runOperation answers with that name's output.
    submit: <Name extends OperationName>(name: Name, input: Operations[Name]['input']) =>
      submit({ name, input } as Operation) as Promise<Operations[Name]['output']>,
    close,
  };
}

/** The promises of the writes that are under way. */
function createWaitingList() {
  const callers = new Map<number, { resolve(value: unknown): void; reject(error: AppError): void }>();
  return {
    isEmpty: () => callers.size === 0,
    add: (id: number) => new Promise((resolve, reject) => callers.set(id, { resolve, reject })),
    settle(answers: FromWorker): void {
      for (const { id, outcome } of answers) {
        const caller = callers.get(id);
        callers.delete(id);
        if ('error' in outcome) caller?.reject(new AppError(outcome.error.code, outcome.error));
        else caller?.resolve(outcome.value);
      }
    },
    rejectAll(error: AppError): void {
      for (const caller of callers.values()) caller.reject(error);
      callers.clear();
    },
  };
}

function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', { detail, cause });
}
