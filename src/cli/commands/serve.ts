import type { ServerConfig } from '../../schema/agent.ts';
import type { Protocol, ServerState } from '../../schema/server.ts';
import { createApp } from '../../server/app.ts';
import { listen } from '../../server/listen.ts';
import { openTokenCheck } from '../../server/open-token-check.ts';
import { createServerState } from '../../server/server-state.ts';
import { sharedServer } from '../../server/shared-server.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText, optionParts } from '../called-as.ts';
import { type Opened, openAgents } from '../open-agent.ts';
import { openBrowser } from '../open-browser.ts';
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
}

const GRACE_MS = 25_000;
/** After the turns have ended: for the last bytes of slow readers. */
const FLUSH_MS = 3_000;
const KILLED = 130;

/** `holodeck serve`: one port for all agents, until a signal ends it. */
export async function runServe(files: readonly string[], options: ServeOptions): Promise<void> {
  const opened = await openAgents(files, { ...options, overrides: toOverrides(options), report: say });
  const watching = watchAgents(opened, { say });
  try {
    await serve(opened, options, commandOf(files, options));
  } finally {
    watching.close();
    await opened.runtime.stop();
  }
}

function say(text: string): void {
  process.stderr.write(`${sanitizeText(text)}\n`);
}

function toOverrides({ port, host, corsOrigins, observability }: ServeOptions): Record<string, unknown> {
  return {
    server: { ...(port && { port }), ...(host && { host }), ...(corsOrigins && { cors_origins: corsOrigins }) },
    ...(observability && { observability: { enabled: true } }),
  };
}

/** As it was called, without the port. */
function commandOf(files: readonly string[], { port: _port, ...options }: ServeOptions): string {
  return commandText(['serve', ...files, ...optionParts(options)]);
}

async function serve(opened: Opened, options: ServeOptions, command: string): Promise<void> {
  const { runtime, agents, user } = opened;
  const server = sharedServer(agents);
  const verify = await openTokenCheck(server, (text) => process.stderr.write(`warning: ${text}\n`));
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
  });
  // Before anybody is told that it is there: a signal at any moment after that is an orderly end.
  const signalled = untilSignal();
  state.enter('ready');
  try {
    await listen(app, { ...server, command });
    state.enter('running');
    process.stdout.write(sanitizeText(startText(opened, server, options.protocol ?? 'all')));
    if (options.open) openBrowser(baseOf(server));
    await signalled;
    state.enter('shutting_down');
    process.stdout.write(stopText(runtime.activeTurns));
    stopping.abort();
    await runtime.stop(GRACE_MS);
  } finally {
    setTimeout(() => app.server.closeAllConnections(), FLUSH_MS).unref();
    await app.close();
    state.enter('stopped');
  }
}

function logState(state: ServerState): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), server_state: state })}\n`);
}

function startText({ agents, folder }: Opened, server: ServerConfig, protocol: Protocol): string {
  const { host, port, auth } = server;
  const base = baseOf({ host, port });
  const name = agents[0]?.name;
  const token = auth ? ` -H "authorization: Bearer $TOKEN"` : '';
  const json = `-H 'content-type: application/json'`;
  const curl = `curl -s ${base}/agent/${name}/chat${token} ${json} -d '{"message":"hello"}'`;
  const reach = auth
    ? `reached by whoever holds a token of ${auth.jwt.issuer}`
    : 'no sign-in: every account on this machine is the local user';
  return [
    `HoloDeck serves ${agents.map((agent) => agent.name).join(', ')} at ${base} (${protocol}); ${base}/docs tells how`,
    ...(protocol === 'ag-ui' ? [] : [`  ${curl}`]),
    `  kept in ${folder}; ${reach}`,
    ...(isEveryAddress(host) ? [`  from other machines: ${namesText(server)}`] : []),
    '',
  ].join('\n');
}

function stopText(turns: number): string {
  if (turns === 0) return '';
  return `Stopping: ${turns === 1 ? '1 turn runs' : `${turns} turns run`} for up to ${GRACE_MS / 1000} s more; Ctrl+C again ends now\n`;
}

/** Who listens at every address is still asked for under a name, and only known ones are served. */
function namesText({ allowed_hosts: names }: ServerConfig): string {
  if (names.length > 0) return `served as ${names.join(', ')}`;
  return 'no other name is served: set server.allowed_hosts to those that they use, or they get 421';
}

function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(host);
}

function baseOf({ host, port }: { host: string; port: number }): string {
  if (isEveryAddress(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** The first signal asks for an orderly end; the second one ends now. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(KILLED);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
