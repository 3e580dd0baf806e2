import { readdirSync, readFileSync } from 'node:fs';

/** The variable that marks every process of one tool server; children inherit it in any session. */
export const MARK_NAME = 'HOLODECK_TOOL_SERVER';

export interface ServerMark {
  /** The value of the variable, random for each start. */
  mark: string;
  /** The process that leads the server's group and session. */
  leader: number;
}

interface ProcessEntry {
  pid: number;
  parent: number;
  session: number;
}

/**
 * The processes of one tool server without its leader: those with the mark, those of its session, and the children of
 * both. Only Linux provides this (/proc); elsewhere the list is empty, and a process that leaves the group survives.
 */
export function findServerProcesses({ mark, leader }: ServerMark): number[] {
  if (process.platform !== 'linux') return [];
  const entries = readEntries();
  const found = new Set([leader]);
  for (const { pid, session } of entries) if (session === leader || isMarked(pid, mark)) found.add(pid);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { pid, parent } of entries) if (found.has(parent)) found.add(pid);
  }
  found.delete(leader);
  return [...found];
}

/** Signals a process; one that has just ended is ignored. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is already gone.
  }
}

function readEntries(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readOwn(`/proc/${name}/stat`) : undefined;
    // The program's name is in parentheses and may contain any character.
    const [state, parent, , session] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return state === undefined || state === 'Z'
      ? []
      : [{ pid: Number(name), parent: Number(parent), session: Number(session) }];
  });
}

function isMarked(pid: number, mark: string): boolean {
  return readOwn(`/proc/${pid}/environ`)?.split('\0').includes(`${MARK_NAME}=${mark}`) ?? false;
}

/** The text; undefined if the process is gone or not ours to read. */
function readOwn(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
