import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Agent } from '../schema/agent.ts';
import type { Opened } from './open-agent.ts';
import { showClock } from './render/show-time.ts';

/** Editors write a file in several steps. */
const CALM_MS = 150;
/** By then the first screen is there: functions are looked at without slowing it. */
const START_MS = 500;
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
 * Looks after the files of the agents, those of their functions too. A changed agent file is used from the next turn on; a
 * broken one is refused with line and column, and the old one stays. A function that cannot be parsed, and a server's tool
 * that is not offered, are reported soon after the start and after each change. Never throws.
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
  /** As it was when it was last looked at, and when the agent that is used was read. */
  let seen = stateOf(current.folder);
  let used = seen;
  let since = new Date();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const lookAtTools = async () => {
    const problems = await toolProblems(current, closing.signal).catch(() => []);
    if (problems.length > 0 && !closing.signal.aborted) options.say(problems.join('\n'));
    const unoffered = await serverProblems(opened, current, closing.signal).catch(() => []);
    if (unoffered.length > 0 && !closing.signal.aborted) options.say(unoffered.join('\n'));
  };
  const look = async () => {
    const now = stateOf(current.folder);
    if (changedFiles(seen, now).length === 0) return;
    seen = now;
    const changed = changedFiles(used, now);
    const areToolsChanged = toolFiles(current).some((name) => changed.includes(name));
    try {
      const next = await opened.load(file, options.overrides?.() ?? {});
      checkName(current, next);
      used = now;
      if (!areToolsChanged && JSON.stringify(next) === JSON.stringify(current)) return;
      await opened.runtime.replaceAgent(next);
      current = next;
      since = new Date();
      options.onReplace?.(next);
      options.say(`${nameOf(changed, file)} has changed: the next message uses it.`);
    } catch (error) {
      const what = error instanceof AppError ? error.message : String(error);
      options.say(`${what}\nstill using the file of ${showClock(since)}`);
      return;
    }
    await lookAtTools();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(look, CALM_MS).unref();
  };
  const watcher = tryWatch(current.folder, plan);
  const first = setTimeout(lookAtTools, START_MS).unref();
  return () => {
    closing.abort();
    clearTimeout(first);
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

async function toolProblems(agent: Agent, signal: AbortSignal): Promise<string[]> {
  if (!agent.tools.some((tool) => tool.type === 'function')) return [];
  const { findToolProblems } = await import('./check-tools.ts');
  return findToolProblems(agent, signal);
}

/** With sign-in, a connection per user is opened for those who sign in, and not for the local account. */
async function serverProblems({ runtime, user }: Opened, agent: Agent, signal: AbortSignal): Promise<string[]> {
  const { findServerProblems } = await import('./server-problems.ts');
  const isPerUser = agent.tools.some((tool) => tool.type === 'mcp' && tool.connection === 'per_user');
  if (agent.server.auth && isPerUser) return [];
  const { clashes, remarks } = await findServerProblems({ runtime, user, agent, signal });
  return [...clashes, ...remarks];
}

type FolderState = ReadonlyMap<string, string>;

/** Size and time of every file that an agent may be made of. */
function stateOf(folder: string): FolderState {
  try {
    const names = readdirSync(folder).filter((name) => WATCHED.test(name));
    return new Map(names.map((name) => [name, fileState(join(folder, name))]));
  } catch {
    return new Map();
  }
}

function fileState(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}

function toolFiles(agent: Agent): string[] {
  return agent.tools.flatMap((tool) => ('file' in tool && tool.file ? [basename(tool.file)] : []));
}

/** The names of files that were written, made or removed. */
function changedFiles(before: FolderState, now: FolderState): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name));
}

function nameOf(changed: readonly string[], file: string): string {
  return changed.length === 1 ? (changed[0] ?? basename(file)) : basename(file);
}
