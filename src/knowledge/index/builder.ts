import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import { createFileReader, type FileReader } from '../../files/file-reader.ts';
import type { Log } from '../../log.ts';
import { makePrivateFile } from '../../private-folder.ts';
import type { KnowledgeEntry } from '../../schema/knowledge/entry.ts';
import type { BuildOptions, BuildProgress, BuildReport } from '../knowledge.ts';
import { buildIndex } from './build-index.ts';
import type { IndexFile } from './index-file.ts';
import { isDamage, lockPathOf } from './open-index.ts';

export interface BuilderOptions {
  file: IndexFile;
  /** The agent's folder. */
  folder: string;
  entry: KnowledgeEntry;
  embedder?: Embedder | undefined;
  clock: Clock;
  log?: Log | undefined;
  signal: AbortSignal;
  reader?: FileReader | undefined;
}

const LOCK_POLL_MS = 100;
const STOPPED: BuildReport = { read: 0, removed: 0, unchanged: 0, passages: 0, isStopped: true };

export function createBuilder(options: BuilderOptions) {
  const { file, clock, folder, entry, embedder } = options;
  const lockPath = lockPathOf(file.path);
  let reader = options.reader;
  let progress: BuildProgress | undefined;
  let running: Promise<BuildReport> | undefined;

  const buildOnce = async ({ onProgress, signal: given }: BuildOptions): Promise<BuildReport> => {
    const signal = given ? AbortSignal.any([given, options.signal]) : options.signal;
    const report = (now: BuildProgress) => {
      progress = now;
      onProgress?.(now);
    };
    // The index comes first: a lock without one means that the index was deleted.
    file.open();
    const release = await takeLock(lockPath, { clock, signal, report });
    if (!release) return STOPPED;
    try {
      reader ??= createFileReader({ log: options.log });
      const { database } = file.open();
      const job = { database, folder, entry, embedder, reader, clock, signal, onProgress: report };
      const result = await buildIndex({ ...job, rebuilt: file.rebuilt() });
      if (!result.isStopped) file.setBuilt();
      return result;
    } finally {
      release();
    }
  };
  const buildOrRemake = async (given: BuildOptions): Promise<BuildReport> => {
    try {
      return await buildOnce(given);
    } catch (error) {
      if (!isDamage(error) || options.signal.aborted) throw error;
      file.remake();
      return buildOnce(given);
    }
  };

  return {
    /** Builds once at a time in this process, and once at a time on this machine. */
    build(given: BuildOptions = {}): Promise<BuildReport> {
      running ??= buildOrRemake(given).finally(() => {
        running = undefined;
        progress = undefined;
      });
      return running;
    },
    /** The progress of the running build, of this process or of another one. */
    progress: () => progress ?? otherProgress(file, lockPath),
    async close() {
      await running?.catch(() => {});
      if (!options.reader) reader?.close();
    },
  };
}

/** The progress of a build in another process. The rest of a killed build does not count. */
function otherProgress(file: IndexFile, lockPath: string): BuildProgress | undefined {
  const row = file.open().database.prepare("SELECT value FROM meta WHERE key = 'building'").get();
  if (!row) return undefined;
  const release = tryBuildLock(lockPath);
  release?.();
  return release ? undefined : JSON.parse(String(row.value));
}

type LockOptions = Pick<BuilderOptions, 'clock' | 'signal'> & { report(progress: BuildProgress): void };

/** Waits while another process builds; the build after it then finds nothing left to do. */
async function takeLock(path: string, { clock, signal, report }: LockOptions): Promise<Release | undefined> {
  while (!signal.aborted) {
    const release = tryBuildLock(path);
    if (release) return release;
    report({ done: 0, total: 0, isWaiting: true });
    await new Promise<void>((resolve) => void clock.after(LOCK_POLL_MS, resolve));
  }
  return undefined;
}

type Release = () => void;

/** Takes the right to build one index, which the kernel releases when the process dies. Undefined if another build has it. */
function tryBuildLock(path: string): Release | undefined {
  makePrivateFile(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so the lock needs no journal file.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => file.close();
  } catch {
    file.close();
    return undefined;
  }
}
