import { watch } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../errors.ts';

/** Editors write a file in several steps. */
const CALM_MS = 200;
const WATCHED = /\.(ya?ml|json|md|csv|[cm]?[jt]s)$|(^|[/\\])\.env$/;
/** A run writes its report to the data folder. */
const IGNORED = /(^|[/\\])(\.holodeck|node_modules|\.git)[/\\]/;

export interface FolderWatch {
  /** The name of a file that changed after the last call; waits for one. */
  nextChange(): Promise<string>;
  close(): void;
}

/** Watches the files of an agent. A change is noticed once, also while nobody waits for it. */
export function watchAgentFolder(folder: string, dataFolder: string | undefined): FolderWatch {
  let changed: string | undefined;
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  // The data folder may be the agent's own folder, so only the reports in it are left out.
  const reports = dataFolder === undefined ? undefined : join(relative(folder, resolve(dataFolder)), 'runs') + sep;
  const note = (name: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed = name;
      wake?.();
    }, CALM_MS);
  };
  const watcher = openWatch(folder, (name) => {
    const isOwn = IGNORED.test(name) || (reports !== undefined && name.startsWith(reports));
    if (WATCHED.test(name) && !isOwn) note(name);
  });
  return {
    async nextChange() {
      if (changed === undefined) await new Promise<void>((resolve) => (wake = resolve));
      const name = changed ?? '';
      changed = undefined;
      return name;
    },
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function openWatch(folder: string, seen: (name: string) => void) {
  try {
    return watch(folder, { recursive: true }, (_, name) => {
      if (name !== null) seen(name);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('usage', { detail: `--watch: ${folder} cannot be watched: ${reason}` });
  }
}
