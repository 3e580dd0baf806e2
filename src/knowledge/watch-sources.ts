import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../clock.ts';

/** Editors and copies write a file in several steps. */
const CALM_MS = 400;

export interface WatchOptions {
  clock: Clock;
  onChange(): void;
}

/** Calls back after files of the sources have changed. If the system cannot watch, only that is lost. */
export function watchSources(
  folder: string,
  sources: readonly string[],
  { clock, onChange }: WatchOptions,
): () => void {
  let cancel: (() => void) | undefined;
  const plan = () => {
    cancel?.();
    cancel = clock.after(CALM_MS, onChange);
  };
  const folders = new Set(sources.map((source) => folderOf(resolve(folder, source.split(/[*?[{]/)[0] ?? '.'))));
  const watchers = [...folders].flatMap((path) => tryWatch(path, plan));
  return () => {
    cancel?.();
    for (const watcher of watchers) watcher.close();
  };
}

function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
}

function tryWatch(path: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, onChange);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}
