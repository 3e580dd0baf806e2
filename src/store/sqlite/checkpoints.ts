import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';

/** 10 MB of log; shorter logs need no checkpoint thread. */
const MAX_PAGES = 2_500;
/** Pages that may be written while a checkpoint runs; beyond that, writers wait for it. */
const HOLD_PAGES = 8_000;
/** Pause after a failed checkpoint during which this process wrote nothing. */
const REST_MS = 100;

/** The kind of checkpoint: concurrent with writers, or while this process does not write. */
export type Pass = 'beside' | 'alone';

/** Moves the log into the database, in a thread that is started when the log first becomes long. */
export interface Checkpoints {
  /**
   * Counts written pages and starts a checkpoint when the log is long. Waits for it only if new commits prevented the
   * last one from restarting the log, or if checkpoints cannot keep up.
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
    // A reader still uses an older part of the log, or the disk is full.
    else if (pass === 'alone') restsUntil = systemClock.now() + REST_MS;
    pass = isShort || pass === 'alone' ? 'beside' : 'alone';
    running = undefined;
  }

  return {
    async keepShort(added) {
      pages += added;
      if (running) return pages < HOLD_PAGES ? undefined : running;
      if (pages < MAX_PAGES || systemClock.now() < restsUntil) return;
      running = run();
      if (pass === 'alone') await running;
    },
    async close() {
      await running;
      await thread.stop();
    },
  };
}

/** If the thread dies or cannot start, the log only gets longer; the next attempt starts another thread. */
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
    /** Returns whether the log was restarted. */
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
