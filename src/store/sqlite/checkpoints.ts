import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** 10 MB of log: some hundred turns at once need no thread yet. */
const MAX_PAGES = 2_500;
/** So much may be written while a checkpoint runs, then writers wait for it. */
const HOLD_PAGES = 8_000;
/** Until the next try, when the last one failed although nobody here wrote. */
const REST_MS = 100;

/** What the thread is asked for: a checkpoint beside writers, or one while this process does not write. */
export type Pass = 'beside' | 'alone';

/** Folds the log back into the database, in a thread that is started when there is first enough of it. */
export interface Checkpoints {
  /**
   * Counts what was written, and begins a checkpoint when that has become much. Waits for it only when the last one was
   * overtaken by new commits (with nobody writing, the log begins anew), or when it cannot keep up with them.
   */
  keepShort(pages: number): Promise<void>;
  close(): Promise<void>;
}

export function createCheckpoints(path: string): Checkpoints {
  const thread = createThread(path);
  let pages = 0;
  let running: Promise<void> | undefined;
  let pass: Pass = 'beside';
  let restsUntil = 0;

  async function run(): Promise<void> {
    const before = pages;
    const isShort = await thread.fold(pass);
    if (isShort) pages -= before;
    // Somebody still reads what an older part of the log says, or the disk is full.
    else if (pass === 'alone') restsUntil = performance.now() + REST_MS;
    pass = isShort || pass === 'alone' ? 'beside' : 'alone';
    running = undefined;
  }

  return {
    async keepShort(added) {
      pages += added;
      if (running) return pages < HOLD_PAGES ? undefined : running;
      if (pages < MAX_PAGES || performance.now() < restsUntil) return;
      running = run();
      if (pass === 'alone') await running;
    },
    async close() {
      await running;
      await thread.stop();
    },
  };
}

/** A thread that dies, or that cannot be started, leaves a longer log and nothing else; the next try starts another. */
function createThread(path: string) {
  let worker: Worker | undefined;

  function start(): Worker {
    const file = new URL(`./checkpoint-worker${extname(import.meta.url)}`, import.meta.url);
    const started = new Worker(file, { name: 'store-checkpoint', workerData: path });
    started.on('error', () => {});
    started.on('exit', () => {
      worker = undefined;
    });
    return started;
  }

  async function ask(asked: Worker, pass: Pass): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => resolve(false);
    asked.once('message', resolve).once('exit', giveUp);
    asked.ref();
    asked.postMessage(pass);
    const isShort = await promise;
    asked.off('message', resolve).off('exit', giveUp).unref();
    return isShort;
  }

  return {
    /** Whether the log has begun anew. */
    async fold(pass: Pass): Promise<boolean> {
      try {
        worker ??= start();
        return await ask(worker, pass);
      } catch {
        return false;
      }
    },
    stop: async () => worker?.terminate(),
  };
}
