import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** As SQLite's own automatic checkpoint. */
const MAX_FRAMES = 1_000;
/** So long the log becomes while a checkpoint runs, then writers wait for it. */
const HOLD_FRAMES = 8_000;
/** Between tries that nobody who writes was in the way of. */
const REST_MS = 100;

/** Folds the log back into the database, in a thread that is started when there is first enough of it. */
export interface Checkpoints {
  /**
   * Begins a checkpoint when the log has grown long. Waits for it only when the last one was overtaken by new commits
   * (with nobody writing it reaches the log's end, and the log begins anew), or when it cannot keep up with them.
   */
  keepShort(): Promise<void>;
  close(): Promise<void>;
}

export function createCheckpoints(database: DatabaseSync, path: string): Checkpoints {
  const count = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const thread = createThread(path);
  const countFrames = () => {
    try {
      return Number(count.get()?.log);
    } catch {
      // What is wrong with the disk, the next commit tells.
      return 0;
    }
  };
  let running: Promise<void> | undefined;
  let wasOvertaken = false;
  let restsUntil = 0;

  async function run(isWaitedFor: boolean): Promise<void> {
    const isWhole = await thread.checkpoint();
    wasOvertaken = !isWhole && !isWaitedFor;
    // Somebody still reads what an older part of the log says, or the disk is full.
    if (!isWhole && isWaitedFor) restsUntil = performance.now() + REST_MS;
    running = undefined;
  }

  return {
    async keepShort() {
      const frames = countFrames();
      if (running) return frames < HOLD_FRAMES ? undefined : running;
      if (frames < MAX_FRAMES || performance.now() < restsUntil) return;
      const isWaitedFor = wasOvertaken;
      running = run(isWaitedFor);
      if (isWaitedFor) await running;
    },
    async close() {
      await running;
      await thread.stop();
    },
  };
}

/** A thread that dies leaves a longer log and nothing else; the next checkpoint starts another. */
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

  return {
    /** Whether the log's end was reached. */
    async checkpoint(): Promise<boolean> {
      const asked = worker ?? start();
      worker = asked;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveUp = () => resolve(false);
      asked.once('message', resolve).once('exit', giveUp);
      asked.ref();
      asked.postMessage('checkpoint');
      const isWhole = await promise;
      asked.off('exit', giveUp).unref();
      return isWhole;
    },
    stop: async () => worker?.terminate(),
  };
}
