import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Agent } from '../schema/agent.ts';
import type { Opened } from './open-agent.ts';
import { showClock } from './render/show-time.ts';

/** Editors write a file in several steps. */
const CALM_MS = 150;
const WATCHED = /\.(ya?ml|md|txt|[cm]?[jt]s|json)$|^\.env$/;

export interface WatchOptions {
  /** Takes what people should know: a new file is used, or why it is not. */
  say(text: string): void;
  /** Told after an agent was replaced. */
  onReplace?(agent: Agent): void;
  /** Settings on top of the file, as they are now. */
  overrides?(): Record<string, unknown>;
}

/**
 * Looks after the files of the agents. A changed one is used from the next turn on; a broken one is refused with line
 * and column, and the old one stays. Never throws.
 */
export function watchAgents(opened: Opened, options: WatchOptions): { close(): void } {
  const watchers = opened.files.map((file, index) => watchAgent(opened, { file, index, options }));
  return {
    close: () => {
      for (const close of watchers) close();
    },
  };
}

interface Watching {
  file: string;
  index: number;
  options: WatchOptions;
}

function watchAgent(opened: Opened, { file, index, options }: Watching): () => void {
  let current = opened.agents[index] as Agent; // one agent for each file
  let seen = stateOf(current.folder);
  let since = new Date();
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const now = stateOf(current.folder);
    if (now === seen) return;
    const areToolsChanged = hasChanged(seen, now, toolFiles(current));
    seen = now;
    try {
      const next = await opened.load(file, options.overrides?.() ?? {});
      if (!areToolsChanged && JSON.stringify(next) === JSON.stringify(current)) return;
      checkName(current, next);
      await opened.runtime.replaceAgent(next);
      current = next;
      since = new Date();
      options.onReplace?.(next);
      options.say(`${basename(file)} has changed: the next message uses it.`);
    } catch (error) {
      const what = error instanceof AppError ? error.message : String(error);
      options.say(`${what}\nstill using the file of ${showClock(since)}`);
    }
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(look, CALM_MS).unref();
  };
  const watcher = tryWatch(current.folder, plan);
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}

/** A system that lets nothing be watched costs the comfort, not the program. */
function tryWatch(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || WATCHED.test(name)) changed();
    });
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

function checkName(current: Agent, next: Agent): void {
  if (next.name === current.name) return;
  throw new AppError('config_invalid', {
    detail: `name: changed from ${current.name} to ${next.name}, which is another agent. Start again to talk to it`,
  });
}

/** Size and time of every file that an agent may be made of, one per line. */
function stateOf(folder: string): string {
  try {
    const names = readdirSync(folder).filter((name) => WATCHED.test(name));
    return names.map((name) => `${name} ${fileState(join(folder, name))}`).join('\n');
  } catch {
    return '';
  }
}

function fileState(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}

function toolFiles(agent: Agent): string[] {
  return agent.tools.flatMap((tool) => ('file' in tool && tool.file ? [basename(tool.file)] : []));
}

function hasChanged(before: string, now: string, names: readonly string[]): boolean {
  const lineOf = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(`${name} `));
  return names.some((name) => lineOf(before, name) !== lineOf(now, name));
}
