import { createServer } from 'node:net';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app.ts';

const PORTS_TO_TRY = 20;

interface Address {
  host: string;
  port: number;
  /** The command that serves the same agents; `-p <port>` is appended to it. */
  command: string;
}

/** Opens the port. If it is in use, the error names the next free port. */
export async function listen(app: HttpApp, address: Address): Promise<void> {
  const { port, command } = address;
  const host = address.host.replace(/^\[|\]$/g, '');
  try {
    await app.listen({ host, port, backlog: 4096 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'EADDRINUSE') throw cannotListen(host, port, error);
    const free = await nextFreePort(host, port + 1);
    const offer = free ? ` ${free} is free: ${command} -p ${free}` : '';
    throw new AppError('port_in_use', { detail: `port ${port} is in use.${offer}`, cause: error });
  }
}

export function cannotListen(host: string, port: number, cause: Error): AppError {
  const detail = `${host} port ${port} cannot be opened: ${cause.message}. Choose another with --host or -p.`;
  return new AppError('port_in_use', { detail, cause });
}

/** The first free port from a number on; undefined if the next 20 are in use. */
export async function nextFreePort(host: string, from: number): Promise<number | undefined> {
  const last = Math.min(from + PORTS_TO_TRY, 65_536);
  for (let port = from; port < last; port++) if (await isFree(host, port)) return port;
  return undefined;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}
