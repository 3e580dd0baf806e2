import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Agent } from '../schema/agent.ts';
import type { Opened } from './open-agent.ts';

/** Editors write a file in several steps. */
const CALM_MS = 150;
/** The first screen is shown by then, so that checking the functions does not delay it. */
const START_MS = 500;
const WATCHED = /\.(ya?ml|md|txt|[cm]?[jt]s|json)$|^\.env$/;

export interface WatchOptions {
  /** Receives messages for people: a new file is in use, or why it is not. */
  notify(text: string): void;
  /** Called after an agent was replaced. */
  onReplace?(agent: Agent): void;
  /** Current settings that override the file. */
  overrides?(): Record<string, unknown>;
}

/**
 * Watches the files of the agents and of their functions. A changed agent file is used from the next turn on; a faulty
 * one is refused with line and column, and the old one stays in use. A function that cannot be parsed, and a server's
 * tool that is refused, are reported soon after the start and after each change. Never throws.
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
  /** The folder's state at the last check, and when the current agent was loaded. */
  let seen = stateOf(current);
  let used = seen;
  let since = systemClock.date();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const lookAtTools = async () => {
    const problems = await toolProblems(current, closing.signal).catch(() => []);
    if (problems.length > 0 && !closing.signal.aborted) options.notify(problems.join('\n'));
    const unoffered = await serverProblems(opened, current, closing.signal).catch(() => []);
    if (unoffered.length > 0 && !closing.signal.aborted) options.notify(unoffered.join('\n'));
  };
  const look = async () => {
    const now = stateOf(current);
    if (changedFiles(seen, now).length === 0) return;
    seen = now;
    const changed = changedFiles(used, now);
    const areToolsChanged = toolFiles(current).some((path) => changed.includes(path));
    try {
      const next = await opened.load(file, options.overrides?.() ?? {});
      checkName(current, next);
      used = now;
      if (!areToolsChanged && JSON.stringify(next) === JSON.stringify(current)) return;
      await opened.runtime.replaceAgent(next);
      current = next;
      since = systemClock.date();
      options.onReplace?.(next);
      options.notify(`${nameOf(changed, file)} has changed: the next message uses it.`);
    } catch (error) {
      const what = error instanceof AppError ? error.message : String(error);
      options.notify(`${what}\nStill using the file from ${showClock(since)}.`);
      return;
    }
    await lookAtTools();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(look, CALM_MS).unref();
  };
  const watchers = foldersOf(current).map((folder) => tryWatch(folder, plan));
  const first = setTimeout(lookAtTools, START_MS).unref();
  return () => {
    closing.abort();
    clearTimeout(first);
    clearTimeout(timer);
    for (const watcher of watchers) watcher?.close();
  };
}

/** If the system cannot watch the folder, only automatic reloading is lost. */
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
    detail: `name: changed from ${current.name} to ${next.name}, which is another agent. Restart to use it`,
  });
}

async function toolProblems(agent: Agent, signal: AbortSignal): Promise<string[]> {
  const { inspectTools } = await import('../kinds/tool-kinds.ts');
  return (await inspectTools(agent, { clock: systemClock, signal })).problems;
}

/** With authentication, per-user connections are opened for signed-in users, not for the local account. */
async function serverProblems({ runtime, user }: Opened, agent: Agent, signal: AbortSignal): Promise<string[]> {
  const { findServerProblems } = await import('./server-problems.ts');
  const isPerUser = agent.tools.some((tool) => tool.connection === 'per_user');
  if (agent.server.auth && isPerUser) return [];
  const { clashes, remarks } = await findServerProblems({ runtime, user, agent, signal });
  return [...clashes, ...remarks];
}

type FolderState = ReadonlyMap<string, string>;

/** The folders of an agent and of its members. */
function foldersOf({ folder, members = {} }: Agent): string[] {
  return [...new Set([folder, ...Object.values(members).flatMap(foldersOf)])];
}

/** Size and time of every file that an agent may consist of. */
function stateOf(agent: Agent): FolderState {
  return new Map(
    foldersOf(agent)
      .flatMap(filesIn)
      .map((path) => [path, fileState(path)]),
  );
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => WATCHED.test(name));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function fileState(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}

function toolFiles({ tools, members = {} }: Agent): string[] {
  const own = tools.flatMap((tool) => ('file' in tool && tool.file ? [tool.file] : []));
  return [...own, ...Object.values(members).flatMap(toolFiles)];
}

/** The files that were written, created or removed. */
function changedFiles(before: FolderState, now: FolderState): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name));
}

function nameOf(changed: readonly string[], file: string): string {
  return basename(changed.length === 1 ? (changed[0] ?? file) : file);
}

/** Formats the time of day. */
function showClock(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date);
}
