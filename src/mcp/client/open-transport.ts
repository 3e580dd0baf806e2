import { setImmediate } from 'node:timers/promises';
import type { Client, ConnectOptions, JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import { findLoginNeeded, type ServerAccess } from '../server-access.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { OutputLimits } from './budget.ts';
import type { ChildCommand } from './child-server.ts';
import { readOutput, readStatus, readUnreached, StartFailure } from './failure.ts';
import { createMessageRepairer } from './repair-message.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** The address of a server and its settings, with every placeholder filled in. */
export type ServerTarget =
  | { transport: 'stdio'; child: ChildCommand; redact(text: string): string }
  | { transport: 'http'; url: string; headers: Readonly<Record<string, string>>; access?: ServerAccess };

type StdioTarget = ServerTarget & { transport: 'stdio' };

export interface OpenOptions {
  sdk: typeof import('@modelcontextprotocol/client');
  clock: Clock;
  limits: OutputLimits;
  signal: AbortSignal;
  createClient(): Client;
  onToolsChanged(): void;
}

export interface Opened {
  client: Client;
  /** Settles with the reason when the connection is gone. */
  gone: Promise<string>;
  /** The reason why the connection is gone; undefined while it works. */
  ended(): string | undefined;
  close(): Promise<void>;
}

const SESSION_END_MS = 1_000;
/** Status codes with which a server of the older HTTP+SSE transport answers a POST. */
const OLDER_SERVER_STATUSES = [400, 404, 405];

export function openTransport(target: ServerTarget, options: OpenOptions): Promise<Opened> {
  return target.transport === 'stdio' ? openStdio(target, options) : openHttp(target, options);
}

/** Probes one child process; if it exits at the unknown first request, it is started again with the older handshake. */
async function openStdio(target: StdioTarget, options: OpenOptions, isOlder = false): Promise<Opened> {
  const { clock, limits, onToolsChanged } = options;
  const transport = createStdioTransport(target.child, {
    clock,
    limits,
    repairer: createMessageRepairer(options.sdk),
    onDropped: onToolsChanged,
  });
  const client = options.createClient();
  const gone = whenClosed(client, () => transport.ended ?? 'closed the connection');
  try {
    await connect(client, transport, options, isOlder);
  } catch (error) {
    await transport.close();
    const { ended } = transport;
    const { aborted, reason } = options.signal;
    if (!aborted && !isOlder && ended?.startsWith('ended')) return openStdio(target, options, true);
    const endedItself = aborted || ended === 'was stopped' ? undefined : ended;
    const output = readOutput(target.redact(transport.stderr));
    throw new StartFailure(endedItself, { output, cause: aborted ? reason : error });
  }
  return { client, gone, ended: () => transport.ended, close: () => client.close() };
}

async function openHttp(target: ServerTarget & { transport: 'http' }, options: OpenOptions): Promise<Opened> {
  const { sdk, clock, limits, signal, onToolsChanged } = options;
  const url = new URL(target.url);
  const common = {
    requestInit: { headers: { ...target.headers } },
    ...(target.access && { authProvider: target.access }),
    fetch: createBoundedFetch({ clock, limits, repairer: createMessageRepairer(sdk), onDropped: onToolsChanged }),
  };
  const transport = new sdk.StreamableHTTPClientTransport(url, common);
  const client = options.createClient();
  try {
    await connect(client, transport, options);
    return opened(client, () => endSession(transport, client, clock));
  } catch (error) {
    signal.throwIfAborted();
    if (findLoginNeeded(error)) throw error;
    const output = readUnreached(error, url);
    if (output.length > 0) throw new StartFailure(undefined, { output, cause: error });
    if (!OLDER_SERVER_STATUSES.includes(readStatus(error) ?? 0)) throw error;
    const older = options.createClient();
    await connect(older, new sdk.SSEClientTransport(url, common), options, true).catch(() => {
      throw error;
    });
    return opened(older, () => older.close());
  }
}

function opened(client: Client, close: () => Promise<void>): Opened {
  let ended: string | undefined;
  const gone = whenClosed(client, () => {
    ended = 'closed the connection';
    return ended;
  });
  return { client, gone, ended: () => ended, close };
}

/** The signal limits the whole connect, because the SDK ignores it while negotiating. */
async function connect(client: Client, transport: Transport, options: OpenOptions, isOlder = false): Promise<void> {
  const { signal } = options;
  const connectOptions: ConnectOptions = { signal, ...(isOlder ? { prior: { kind: 'legacy' } } : {}) };
  const stop = () => void transport.close();
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect(deliverInOrder(transport), connectOptions);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function whenClosed(client: Client, describe: () => string): Promise<string> {
  return new Promise((resolve) => {
    client.onclose = () => resolve(describe());
  });
}

async function endSession(
  transport: { terminateSession(): Promise<void> },
  client: Client,
  clock: Clock,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(SESSION_END_MS, resolve);
  await Promise.race([transport.terminateSession().catch(() => {}), promise]);
  cancel();
  await client.close();
}

/**
 * The SDK handles an answer at once but a notification a moment later, so an answer can overtake the progress sent
 * before it. This wrapper delays an answer until earlier notifications are handled.
 */
export function deliverInOrder(transport: Transport): Transport {
  let handler: Transport['onmessage'];
  let noted: Promise<void> | undefined;
  const take = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    try {
      handler?.(message, extra);
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const receive = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    if (!isNotification(message)) {
      if (noted) void noted.then(() => take(message, extra));
      else take(message, extra);
      return;
    }
    take(message, extra);
    const settled = setImmediate().then(() => {
      if (noted === settled) noted = undefined;
    });
    noted = settled;
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler && receive,
    set(next: Transport['onmessage']) {
      handler = next;
    },
  });
  return transport;
}

function isNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}
