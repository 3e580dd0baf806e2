import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import type { SupervisedServer } from './supervised-server.ts';

export interface ServerPool {
  /** The server for this user; throws `tool_unavailable` if every connection is in use. */
  take(user: User): SupervisedServer;
  /** Like `take`, but opens nothing. */
  find(user: User): SupervisedServer | undefined;
  /** Whether all connections are busy, so that no new user is admitted. */
  isFull(): boolean;
  /** Most recently used last. */
  all(): SupervisedServer[];
}

/** A pool with one server for all users. */
export function createSharedPool(server: SupervisedServer): ServerPool {
  return { take: () => server, find: () => server, isFull: () => false, all: () => [server] };
}

export interface UserPoolOptions {
  name: string;
  maxConnections: number;
  maxUsers: number;
  create(user: User): SupervisedServer;
}

/**
 * A pool with a server per user: at most `maxConnections` are open; the least recently used idle one is closed for a
 * new one.
 */
export function createUserPool(options: UserPoolOptions): ServerPool {
  const { name, maxConnections, maxUsers } = options;
  const servers = new Map<string, SupervisedServer>();

  const findOpen = () => [...servers.values()].filter(isOpen);
  const isFull = () => findOpen().filter((server) => server.isBusy).length >= maxConnections;
  const makeRoom = () => {
    const open = findOpen();
    if (open.length < maxConnections) return;
    if (isFull())
      throw new AppError('tool_unavailable', { detail: `All ${maxConnections} connections to ${name} are in use.` });
    void open.find((server) => !server.isBusy)?.disconnect();
  };
  const forgetOldest = () => {
    if (servers.size <= maxUsers) return;
    const oldest = [...servers].find(([, server]) => !isOpen(server) && !server.isBusy);
    if (oldest) servers.delete(oldest[0]);
  };

  return {
    take(user) {
      const known = servers.get(user.id);
      if (!known || !isOpen(known)) makeRoom();
      const server = known ?? options.create(user);
      servers.delete(user.id);
      servers.set(user.id, server);
      forgetOldest();
      return server;
    },
    find: (user) => servers.get(user.id),
    isFull,
    all: () => [...servers.values()],
  };
}

function isOpen(server: SupervisedServer): boolean {
  return ['ready', 'starting'].includes(server.state().state);
}
