import type { Clock } from '../clock.ts';
import type { Report } from '../log.ts';
import type { McpConnection } from './client.ts';
import { describeStartFailure } from './failure.ts';
import { createGate } from './gate.ts';
import type { Log, SupervisorLimits } from './limits.ts';
import { StartFailure } from './start-failure.ts';

export interface KeeperOptions {
  name: string;
  clock: Clock;
  log: Log;
  /** Takes why a start failed, for the agent's author. */
  report?: Report;
  limits: SupervisorLimits;
  random(): number;
  /** Opens a connection and makes it ready for use. */
  open(signal: AbortSignal): Promise<McpConnection>;
  /** A connection that was ready is lost. Returns the user whose calls caused it, if that is known. */
  onLost?(connection: McpConnection): string | undefined;
}

export interface KeeperState {
  state: 'idle' | 'starting' | 'ready' | 'unavailable';
  /** Why it is unavailable, in words. */
  reason?: string;
  nextTryMs?: number;
}

/** Holds at most one connection; opens it when asked, and only when the rules allow another try. */
export interface ConnectionKeeper {
  /** The connection; undefined when it cannot be had now. Never rejects. */
  get(): Promise<McpConnection | undefined>;
  current(): McpConnection | undefined;
  /** Gives up a connection that failed. A server that is only busy is not started again before a wait. */
  drop(connection: McpConnection, reason: string, isBusy?: boolean): void;
  /** Lets go of a connection that did nothing wrong but is of no more use. */
  renew(connection: McpConnection): void;
  noteSuccess(): void;
  state(): KeeperState;
  /** Ends the connection; that is no failure. */
  close(): Promise<void>;
}

export function createConnectionKeeper(options: KeeperOptions): ConnectionKeeper {
  const { name, clock, log, limits } = options;
  const gate = createGate({ ...limits, clock, random: options.random });
  const noteStart = createStartNote(options);
  let current: McpConnection | undefined;
  let opening: { promise: Promise<McpConnection | undefined>; abort: AbortController } | undefined;
  let openedAt = 0;
  let reason: string | undefined;

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
    if (clock.now() - openedAt > limits.stableMs) gate.noteSuccess();
    if (isBusy) gate.noteFailure();
    else gate.noteLoss(options.onLost?.(connection));
    note(why, {});
    if (gate.waitMs() === 0) void get();
  };
  const open = async (abort: AbortController): Promise<McpConnection | undefined> => {
    gate.noteStart();
    try {
      const connection = await openInTime(options, abort);
      current = connection;
      openedAt = clock.now();
      reason = undefined;
      void connection.gone.then((why) => drop(connection, why));
      return connection;
    } catch (error) {
      if (isClosing(abort.signal)) return undefined;
      gate.noteFailure();
      note(describeStartFailure(error), { error, ...noteStart(error) });
      return undefined;
    } finally {
      opening = undefined;
    }
  };
  const get = async (): Promise<McpConnection | undefined> => {
    if (current) return current;
    if (!opening && gate.waitMs() > 0) return undefined;
    const abort = new AbortController();
    opening ??= { abort, promise: open(abort) };
    return opening.promise;
  };

  return {
    get,
    current: () => current,
    drop,
    renew,
    noteSuccess: gate.noteSuccess,
    state() {
      if (current) return { state: 'ready' };
      if (opening) return { state: 'starting' };
      return reason === undefined ? { state: 'idle' } : { state: 'unavailable', reason, nextTryMs: gate.waitMs() };
    },
    async close() {
      opening?.abort.abort();
      await opening?.promise;
      const connection = current;
      current = undefined;
      await connection?.close();
    },
  };
}

async function openInTime({ clock, limits, open }: KeeperOptions, abort: AbortController): Promise<McpConnection> {
  const cancel = clock.after(limits.startMs, () => abort.abort(new DOMException('too slow', 'TimeoutError')));
  try {
    return await open(abort.signal);
  } finally {
    cancel();
  }
}

/** Reports a failed start to the author, the same failure of each further try once; returns what the log keeps of it. */
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

/** Aborted without a reason of its own: by us, because nobody needs it any more. */
function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'AbortError';
}
