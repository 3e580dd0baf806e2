import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { Clock } from '../clock.ts';
import { isSkipped } from './read/find-files.ts';

/** Editors and copies write a file in several steps. */
const CALM_MS = 400;

export interface WatchOptions {
  clock: Clock;
  /** The path of the index: a build writes beside it, which must not start the next one. */
  index: string;
  onChange(): void;
}

/** Calls back after files of the sources have changed. If the system cannot watch, only that is lost. */
export function watchSources(
  folder: string,
  sources: readonly string[],
  { clock, index, onChange }: WatchOptions,
): () => void {
  let cancel: (() => void) | undefined;
  const plan = () => {
    cancel?.();
    cancel = clock.after(CALM_MS, onChange);
  };
  const folders = new Set(sources.map((source) => folderOf(resolve(folder, source.split(/[*?[{]/)[0] ?? '.'))));
  const watchers = [...folders].flatMap((path) =>
    tryWatch(path, (name = '') => {
      const isOwn = resolve(path, name).startsWith(dirname(index) + sep);
      if (!isOwn && !name.split(sep).some(isSkipped)) plan();
    }),
  );
  return () => {
    cancel?.();
    for (const watcher of watchers) watcher.close();
  };
}

function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
}

/** The name is that of the changed file in the folder, if the system says it. */
function tryWatch(path: string, onChange: (name?: string) => void): FSWatcher[] {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, (_, name) => onChange(name ?? undefined));
    return [watcher.on('error', () => watcher.close())];
  } catch {
    return [];
  }
}
