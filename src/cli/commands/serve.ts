import { systemClock } from '../../clock.ts';
import { runsFolder } from '../../evals/report/run-files.ts';
import type { ServerConfig } from '../../schema/agent.ts';
import type { Protocol, ServerState } from '../../schema/server.ts';
import { createApp } from '../../server/app.ts';
import { listen } from '../../server/http/listen.ts';
import { openTokenCheck } from '../../server/identity.ts';
import { createServerMetrics, type ServerMetrics, serveMetrics } from '../../server/metrics/server-metrics.ts';
import { createServerState, sharedServer } from '../../server/shared-server.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText, optionParts, untilSignal } from '../called-as.ts';
import { dataFolder } from '../folders.ts';
import { type Opened, openAgents } from '../open-agent.ts';
import { printAside, warn } from '../print.ts';
import { watchAgents } from '../watch-agents.ts';

export interface ServeOptions {
  port?: number;
  host?: string;
  protocol?: Protocol;
  corsOrigins?: string[];
  open?: boolean;
  debug?: boolean;
  observability?: boolean;
  data?: string;
  user?: string;
}

const GRACE_MS = 25_000;
/** Time for the last bytes of slow readers after the turns have ended. */
const FLUSH_MS = 3_000;

/** `holodeck serve`: serves all agents on one port until a signal ends it. */
export async function runServe(files: readonly string[], options: ServeOptions): Promise<void> {
  const metrics = createServerMetrics();
  const own = { hasTokens: true, overrides: toOverrides(options), report: printAside };
  const opened = await openAgents(files, { onTurn: metrics.turnEnded, ...options, ...own });
  const watching = watchAgents(opened, { notify: printAside });
  try {
    await serve(opened, { ...options, metrics }, commandOf(files, options));
  } finally {
    watching.close();
    await opened.runtime.stop();
  }
}

function toOverrides({ port, host, corsOrigins, observability }: ServeOptions): Record<string, unknown> {
  return {
    server: { ...(port && { port }), ...(host && { host }), ...(corsOrigins && { cors_origins: corsOrigins }) },
    ...(observability && { observability: { enabled: true } }),
  };
}

/** The command as it was given, without the port. */
function commandOf(files: readonly string[], { port: _port, ...options }: ServeOptions): string {
  return commandText(['serve', ...files, ...optionParts(options)]);
}

async function serve(
  opened: Opened,
  options: ServeOptions & { metrics: ServerMetrics },
  command: string,
): Promise<void> {
  const { runtime, agents, user } = opened;
  const server = sharedServer(agents);
  const verify = await openTokenCheck(server, warn);
  const state = createServerState(options.debug ? logState : undefined);
  const stopping = new AbortController();
  const app = createApp({
    runtime,
    server,
    state: state.current,
    identify: verify ?? (() => user),
    ...(options.protocol && { protocol: options.protocol }),
    log: { write: (line) => process.stderr.write(line) },
    debug: options.debug ?? false,
    stopping: stopping.signal,
    runsFolder: (agent) => runsFolder(dataFolder(options.data, agent)),
    ...(server.metrics && { metrics: options.metrics }),
  });
  options.metrics.watchRuntime(runtime);
  // Installed before the start is announced, so that any later signal ends the server in an orderly way.
  const signalled = untilSignal();
  let measured: Awaited<ReturnType<typeof serveMetrics>> | undefined;
  state.enter('ready');
  try {
    await listen(app, { ...server, command });
    const { metrics, allowed_hosts: allowedHosts } = server;
    measured = metrics && (await serveMetrics(options.metrics, { ...metrics, allowedHosts }));
    state.enter('running');
    process.stdout.write(sanitizeText(startText(opened, server, options.protocol ?? 'all')));
    const url = `${baseOf(server)}${hasPage(server, options.protocol) ? '/' : '/docs'}`;
    if (options.open) (await import('../open-browser.ts')).openBrowser(url);
    await signalled;
    state.enter('shutting_down');
    process.stdout.write(stopText(runtime.activeTurns));
    stopping.abort();
    await runtime.stop(GRACE_MS);
  } finally {
    setTimeout(() => app.server.closeAllConnections(), FLUSH_MS).unref();
    measured?.close();
    await app.close();
    state.enter('stopped');
  }
}

function logState(state: ServerState): void {
  process.stderr.write(`${JSON.stringify({ time: systemClock.date().toISOString(), server_state: state })}\n`);
}

function startText({ agents, folder }: Opened, server: ServerConfig, protocol: Protocol): string {
  const { host, port, auth } = server;
  const base = baseOf({ host, port });
  const name = agents[0]?.name;
  const token = auth ? ` -H "authorization: Bearer $TOKEN"` : '';
  const json = `-H 'content-type: application/json'`;
  const curl = `curl -s ${base}/agent/${name}/chat${token} ${json} -d '{"message":"hello"}'`;
  const reach = auth
    ? `Authentication: tokens of ${auth.jwt.issuer}.`
    : 'No authentication: any program on this machine can use it as you.';
  return [
    ...(hasPage(server, protocol) ? [`Open ${base}/ in a browser`] : []),
    `HoloDeck serves ${agents.map((agent) => agent.name).join(', ')} at ${base} (${protocol}). API documentation: ${base}/docs`,
    ...(protocol === 'ag-ui' ? [] : [`  ${curl}`]),
    `  data: ${folder}. ${reach}`,
    ...(isEveryAddress(host) ? [`  from other machines: ${namesText(server)}`] : []),
    '',
  ].join('\n');
}

/** The page talks AG-UI. */
function hasPage({ page }: ServerConfig, protocol: Protocol = 'all'): boolean {
  return page && protocol !== 'rest';
}

function stopText(turns: number): string {
  if (turns === 0) return '';
  return `Stopping: ${turns === 1 ? '1 turn is running' : `${turns} turns are running`}; waiting up to ${GRACE_MS / 1000} s. Press Ctrl+C again to stop now.\n`;
}

/** A server on every address still checks host names and accepts only known ones. */
function namesText({ allowed_hosts: names }: ServerConfig): string {
  if (names.length > 0) return `served as ${names.join(', ')}`;
  return 'other host names get 421; add the names that clients use to server.allowed_hosts';
}

function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(host);
}

function baseOf({ host, port }: { host: string; port: number }): string {
  if (isEveryAddress(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
