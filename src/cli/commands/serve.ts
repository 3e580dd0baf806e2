import { createServer } from 'node:net';
import { AppError } from '../../errors.ts';
import type { ServerState } from '../../schema/server.ts';
import { createApp } from '../../server/app.ts';
import { openAgents } from '../open-agent.ts';

export interface ServeOptions {
  port?: number;
  host?: string;
  debug?: boolean;
  data?: string;
}

const GRACE_MS = 25_000;

/** `holodeck serve`: one port for all agents, until a signal ends it. */
export async function runServe(files: readonly string[], options: ServeOptions): Promise<void> {
  const server = { ...(options.port && { port: options.port }), ...(options.host && { host: options.host }) };
  const { runtime, agents, user, folder } = await openAgents(files, { ...options, overrides: { server } });
  const config = agents[0]?.server;
  if (!config) return;
  let state: ServerState = 'initializing';
  const app = createApp({
    runtime,
    state: () => state,
    identify: () => user,
    allowedHosts: config.allowed_hosts,
    corsOrigins: config.cors_origins,
    log: { write: (line) => process.stderr.write(line) },
    debug: options.debug ?? false,
  });
  try {
    if (config.auth)
      throw new AppError('not_ready', { detail: 'server.auth is not supported yet, so nothing is served.' });
    await listen(app, config);
  } catch (error) {
    await app.close();
    await runtime.stop();
    throw error;
  }
  state = 'running';
  const base = `http://${config.host}:${config.port}`;
  process.stdout.write(
    `HoloDeck serves ${agents.map((agent) => agent.name).join(', ')} at ${base}\n` +
      `  curl -s ${base}/agent/${agents[0]?.name}/chat -H 'content-type: application/json' -d '{"message":"hello"}'\n` +
      `  kept in ${folder}; no sign-in: every account on this machine is the local user\n`,
  );
  await untilSignal();
  state = 'shutting_down';
  await runtime.stop(GRACE_MS);
  await app.close();
  state = 'stopped';
}

async function listen(
  app: ReturnType<typeof createApp>,
  { host, port }: { host: string; port: number },
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    const free = await nextFreePort(host, port + 1);
    const offer = free ? ` ${free} is free: holodeck serve -p ${free}` : '';
    throw new AppError('port_in_use', { detail: `port ${port} is in use.${offer}`, cause: error });
  }
}

async function nextFreePort(host: string, from: number): Promise<number | undefined> {
  for (let port = from; port < from + 20 && port <= 65_535; port++) if (await isFree(host, port)) return port;
  return undefined;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
