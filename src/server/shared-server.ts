import { AppError } from '../errors.ts';
import type { Agent, ServerConfig } from '../schema/agent.ts';
import type { ServerState } from '../schema/server.ts';

/** Settings that may differ between agents on one port. */
const OWN_KEYS = ['server.session_ttl_seconds', 'server.mcp_tools'];
/** Reported as different, but never shown. */
const SECRET_KEYS = ['server.auth.jwt.secret', 'database'];

/** Agents on one port share its settings, so these must be equal. */
export function sharedServer(agents: readonly Agent[]): ServerConfig {
  const [first, ...others] = agents;
  if (!first) throw new AppError('usage', { detail: 'There is no agent to serve. Name at least one agent.yaml.' });
  const differences = others.flatMap((other) => findDifferences(first, other));
  if (differences.length === 0) return first.server;
  const detail = ['Agents on one port must have the same server settings. These differ:', ...differences].join('\n');
  throw new AppError('config_invalid', { detail });
}

function findDifferences(first: Agent, other: Agent): string[] {
  const [mine, its] = [first, other].map(({ server, database }) => leavesOf({ server, database }));
  const paths = new Set([...(mine?.keys() ?? []), ...(its?.keys() ?? [])]);
  const different = [...paths].filter((path) => !OWN_KEYS.includes(path) && mine?.get(path) !== its?.get(path));
  return different.map((path) => {
    const show = (value: string | undefined) => (value && SECRET_KEYS.includes(path) ? 'set' : (value ?? 'not set'));
    const isHidden = SECRET_KEYS.includes(path) && mine?.has(path) && its?.has(path);
    if (isHidden) return `${path}: different in ${first.name} and ${other.name}`;
    return `${path}: ${show(mine?.get(path))} in ${first.name}, ${show(its?.get(path))} in ${other.name}`;
  });
}

/** Every value by its path, as JSON; a list counts as one value. */
function leavesOf(value: object, path = ''): Map<string, string> {
  const found = Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const at = path ? `${path}.${key}` : key;
    if (inner === undefined) return [];
    const isMap = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isMap ? [...leavesOf(inner, at)] : [[at, JSON.stringify(inner)]];
  });
  return new Map(found);
}

/** A server passes through these states in order; if it cannot listen, it stops at once. */
const ORDER: readonly ServerState[] = ['initializing', 'ready', 'running', 'shutting_down', 'stopped'];

export interface ServerStateKeeper {
  current(): ServerState;
  /** Throws on a step backwards, which is a bug of the caller. */
  enter(next: ServerState): void;
}

/** Ready = everything is assembled; running = the port is open. */
export function createServerState(onEnter?: (state: ServerState) => void): ServerStateKeeper {
  let state: ServerState = 'initializing';
  onEnter?.(state);
  return {
    current: () => state,
    enter(next) {
      if (ORDER.indexOf(next) <= ORDER.indexOf(state))
        throw new Error(`a server that is ${state} cannot become ${next}`);
      state = next;
      onEnter?.(next);
    },
  };
}
