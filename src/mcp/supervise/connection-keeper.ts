import type { Clock } from '../../clock.ts';
import type { Report } from '../../log.ts';
import type { McpConnection } from '../client/client.ts';
import { describeStartFailure, StartFailure } from '../client/failure.ts';
import type { Log, SupervisorLimits } from '../limits.ts';
import { findLoginNeeded, type LoginNeeded } from '../server-access.ts';

export interface KeeperOptions {
  name: string;
  clock: Clock;
  log: Log;
  /** Receives the reason of a failed start, for the agent's author. */
  report?: Report;
  limits: SupervisorLimits;
  random(): number;
  /** Opens a connection and prepares it for use. */
  open(signal: AbortSignal): Promise<McpConnection>;
  /** Why no connection can be opened before a person does something; such a try counts as none. */
  findObstacle?(): Promise<LoginNeeded | undefined>;
  /** Called when a ready connection is lost. Returns the user whose calls caused it, if known. */
  onLost?(connection: McpConnection): string | undefined;
}

export interface KeeperState {
  state: 'idle' | 'starting' | 'ready' | 'unavailable';
  /** The reason why it is unavailable, as a phrase. */
  reason?: string;
  nextTryMs?: number;
  /** Set while only a login of the user helps. */
  login?: LoginNeeded;
}

/** Holds at most one connection; opens it on demand, and only if the back-off allows another try. */
export interface ConnectionKeeper {
  /** The connection; undefined if it is not available now. Never rejects. */
  get(): Promise<McpConnection | undefined>;
  current(): McpConnection | undefined;
  /** Drops a failed connection. A server that is only busy is not started again before a wait. */
  drop(connection: McpConnection, reason: string, isBusy?: boolean): void;
  /** Closes a connection that did not fail but is no longer usable. */
  renew(connection: McpConnection): void;
  noteSuccess(): void;
  state(): KeeperState;
  /** Closes the connection; this does not count as a failure. */
  close(): Promise<void>;
}

export function createConnectionKeeper(options: KeeperOptions): ConnectionKeeper {
  const { name, clock, log, limits } = options;
  const backoff = createRestartBackoff({ ...limits, clock, random: options.random });
  const noteStart = createStartNote(options);
  let current: McpConnection | undefined;
  let opening: { promise: Promise<McpConnection | undefined>; abort: AbortController } | undefined;
  let openedAt = 0;
  let reason: string | undefined;
  let login: LoginNeeded | undefined;

  const note = (why: string, details: object) => {
    reason = why;
    log.warn({ server: name, ...details }, `${name} ${why}`);
  };
  const renew = (connection: McpConnection) => {
    if (current === connection) current = undefined;
    void connection.close().catch(() => {});
  };
  const drop = (connection: McpConnection, why: string, isBusy = false) => {
    if (current !== connection) return;
    renew(connection);
    if (clock.now() - openedAt > limits.stableMs) backoff.noteSuccess();
    if (isBusy) backoff.noteFailure();
    else backoff.noteLoss(options.onLost?.(connection));
    note(why, {});
    if (backoff.waitMs() === 0) void get();
  };
  const open = async (abort: AbortController): Promise<McpConnection | undefined> => {
    try {
      login = await options.findObstacle?.();
      if (login) return undefined;
      backoff.noteStart();
      const connection = await openInTime(options, abort);
      current = connection;
      openedAt = clock.now();
      reason = undefined;
      void connection.gone.then((why) => drop(connection, why));
      return connection;
    } catch (error) {
      login = findLoginNeeded(error);
      if (isClosing(abort.signal) || login) return undefined;
      backoff.noteFailure();
      note(describeStartFailure(error), { error, ...noteStart(error) });
      return undefined;
    } finally {
      opening = undefined;
    }
  };
  const get = async (): Promise<McpConnection | undefined> => {
    if (current) return current;
    if (!opening && backoff.waitMs() > 0) return undefined;
    const abort = new AbortController();
    opening ??= { abort, promise: open(abort) };
    return opening.promise;
  };

  return {
    get,
    current: () => current,
    drop,
    renew,
    noteSuccess: backoff.noteSuccess,
    state: () => describe({ isReady: !!current, isStarting: !!opening, login, reason, backoff }),
    async close() {
      opening?.abort.abort();
      await opening?.promise;
      const connection = current;
      current = undefined;
      await connection?.close();
    },
  };
}

interface Facts {
  isReady: boolean;
  isStarting: boolean;
  login: LoginNeeded | undefined;
  reason: string | undefined;
  backoff: RestartBackoff;
}

function describe({ isReady, isStarting, login, reason, backoff }: Facts): KeeperState {
  if (isReady) return { state: 'ready' };
  if (isStarting) return { state: 'starting' };
  if (login) return { state: 'idle', login };
  return reason === undefined ? { state: 'idle' } : { state: 'unavailable', reason, nextTryMs: backoff.waitMs() };
}

async function openInTime({ clock, limits, open }: KeeperOptions, abort: AbortController): Promise<McpConnection> {
  const cancel = clock.after(limits.startMs, () => abort.abort(new DOMException('too slow', 'TimeoutError')));
  try {
    return await open(abort.signal);
  } finally {
    cancel();
  }
}

/** Reports a failed start to the author, a repeated failure only once; returns the fields for the log. */
function createStartNote({ name, report }: Pick<KeeperOptions, 'name' | 'report'>) {
  let reported = '';
  return (error: unknown): { stderr?: string } => {
    const lines = error instanceof StartFailure ? error.output : [];
    const fault = { text: `tools.${name}: the server ${describeStartFailure(error)}`, lines };
    if (JSON.stringify(fault) !== reported) report?.(fault);
    reported = JSON.stringify(fault);
    return lines.length > 0 ? { stderr: lines.join('\n') } : {};
  };
}

/** Aborted without a reason of its own: by us, because the connection is no longer needed. */
function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'AbortError';
}

export interface RestartBackoffOptions {
  clock: Clock;
  /** The wait after the first failure; it doubles with each further failure. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** Maximum number of starts in the window, whatever their outcome. */
  starts: number;
  startsWindowMs: number;
  /** 0 to 1; spreads the waits so that many clients do not return at once. */
  random(): number;
}

export interface RestartBackoff {
  /** How long no start is allowed; 0 = now. */
  waitMs(): number;
  noteStart(): void;
  noteFailure(): void;
  /**
   * Records the loss of a ready server: it may be restarted at once, but only once between two successes. Repeated
   * losses count as failures, unless one user's calls cause them all.
   */
  noteLoss(culprit?: string): void;
  /** Records that the server worked: the next failure counts as the first again. */
  noteSuccess(): void;
}

/** Decides when a server may be started again: back-off with a ceiling, and a budget of starts that nothing resets. */
export function createRestartBackoff(options: RestartBackoffOptions): RestartBackoff {
  const { clock, firstWaitMs, longestWaitMs, random } = options;
  let failures = 0;
  let closedUntil = 0;
  let canRestart = true;
  let culprit: string | undefined;
  let starts: number[] = [];
  const budgetWaitMs = (now: number): number => {
    starts = starts.filter((at) => at > now - options.startsWindowMs);
    const oldest = starts.at(-options.starts);
    return oldest === undefined ? 0 : oldest + options.startsWindowMs - now;
  };
  const noteFailure = () => {
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
    failures++;
    culprit = undefined;
    closedUntil = clock.now() + wait * (0.75 + random() / 4);
  };
  return {
    waitMs() {
      const now = clock.now();
      return Math.max(0, closedUntil - now, budgetWaitMs(now));
    },
    noteStart() {
      // A restart caused by one user's call must not use up the shared budget.
      if (culprit === undefined) starts.push(clock.now());
    },
    noteFailure,
    noteLoss(next) {
      const isRepeated = next !== undefined && next === culprit;
      if (!canRestart && !isRepeated) noteFailure();
      canRestart = false;
      culprit = next;
    },
    noteSuccess() {
      canRestart = true;
      failures = 0;
      closedUntil = 0;
    },
  };
}
