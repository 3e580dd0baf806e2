import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { ToolContext, ToolOutcome } from '../../tools/tool.ts';
import { createCallSender, createRunningCalls } from '../client/call-sender.ts';
import type { McpConnection } from '../client/client.ts';
import type { Failure } from '../client/failure.ts';
import type { Log, SupervisorLimits } from '../limits.ts';
import { untilAborted, waitAtMost } from '../wait.ts';
import { type AcceptedDefinitions, type AcceptedMemory, createAcceptedDefinitions } from './accepted-definitions.ts';
import {
  type ConnectionKeeper,
  createConnectionKeeper,
  type KeeperOptions,
  type KeeperState,
} from './connection-keeper.ts';
import { createCrashGuard } from './crash-guard.ts';
import type { Definition } from './definitions.ts';

export interface ServerOptions extends Omit<KeeperOptions, 'open' | 'onLost'> {
  connect(options: { signal: AbortSignal; onToolsChanged(): void }): Promise<McpConnection>;
  /** Stores accepted definitions; absent = kept in this process. */
  accepted?: AcceptedMemory;
  /** Closes the connection after this long without use; absent = stays open. */
  idleMs?: number;
}

/**
 * A server, or one user's connection to it, kept usable: started on demand, dropped and restarted by the back-off
 * rules.
 */
export interface SupervisedServer {
  readonly definitions: AcceptedDefinitions;
  readonly isBusy: boolean;
  /** The accepted definitions. Waits only for the first start, and at most `waitMs` (default: `offerMs`). */
  offer(signal: AbortSignal, waitMs?: number): Promise<readonly Definition[]>;
  /** Rejects only if the context's signal aborts. */
  call(tool: Definition, args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
  state(): KeeperState;
  /** Closes the connection; accepted definitions stay known. */
  disconnect(): Promise<void>;
}

export function createSupervisedServer(options: ServerOptions): SupervisedServer {
  const { name, clock, limits } = options;
  const definitions = createAcceptedDefinitions(options.accepted);
  const guard = createCrashGuard(options);
  const running = createRunningCalls();
  const keeper: ConnectionKeeper = createConnectionKeeper({
    ...options,
    onLost: (connection) => guard.noteCrash(running.of(connection)),
    async open(signal) {
      const connection = await options.connect({ signal, onToolsChanged: () => refresh.soon() });
      return listFirst(connection, definitions, signal);
    },
  });
  const refresh = createRefresh({ ...options, definitions, current: keeper.current });
  const idle = createIdleTimer(options, () => void keeper.close());
  const sender = createCallSender({ name, clock, limits, keeper, guard }, running);
  return {
    definitions,
    get isBusy() {
      return idle.isBusy;
    },
    async offer(signal, waitMs = limits.offerMs) {
      const opened = keeper.get();
      if (!definitions.accepted) await waitAtMost(opened, { signal, waitMs, clock });
      if (definitions.pending) await definitions.recheck();
      idle.touch();
      return definitions.accepted ?? [];
    },
    call: (tool, args, context) =>
      idle.during(async () => {
        const first = await sender.send(tool, args, context);
        const isForgotten = 'failure' in first && first.failure.kind === 'forgotten';
        const answer = isForgotten ? await sender.send(tool, args, context) : first;
        return 'outcome' in answer ? answer.outcome : describeLoss(name, answer.failure);
      }),
    state: () => keeper.state(),
    async disconnect() {
      idle.stop();
      refresh.stop();
      await keeper.close();
    },
  };
}

/** A connection is usable only if its tools can be listed. */
async function listFirst(
  connection: McpConnection,
  definitions: AcceptedDefinitions,
  signal: AbortSignal,
): Promise<McpConnection> {
  try {
    await definitions.take(await untilAborted(connection.listTools(signal), signal));
    return connection;
  } catch (error) {
    void connection.close().catch(() => {});
    throw error;
  }
}

function describeLoss(name: string, failure: Failure): ToolOutcome {
  const message = `${name} ${failure.reason} while the call was running. It is unknown whether the call took effect.`;
  return { error: { error_type: 'ToolInvocationError', message }, unknown: true };
}

interface IdleTimer {
  readonly isBusy: boolean;
  /** Records a use now. */
  touch(): void;
  during<T>(use: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Calls back after `idleMs` without use; without `idleMs` it only tracks whether something is in use. */
function createIdleTimer(options: { clock: Clock; idleMs?: number }, onIdle: () => void): IdleTimer {
  const { clock, idleMs } = options;
  let uses = 0;
  let cancel = () => {};
  const touch = () => {
    cancel();
    if (idleMs !== undefined && uses === 0) cancel = clock.after(idleMs, onIdle);
  };
  return {
    get isBusy() {
      return uses > 0;
    },
    touch,
    async during(use) {
      uses++;
      cancel();
      try {
        return await use();
      } finally {
        uses--;
        touch();
      }
    },
    stop: () => cancel(),
  };
}

interface RefreshOptions {
  name: string;
  clock: Clock;
  log: Log;
  limits: SupervisorLimits;
  definitions: AcceptedDefinitions;
  current(): McpConnection | undefined;
}

interface Refresh {
  /** Reads the definitions again, at most once per `relistMs`. */
  soon(): void;
  stop(): void;
}

function createRefresh(options: RefreshOptions): Refresh {
  const { clock, limits } = options;
  let cancel: (() => void) | undefined;
  const relist = async () => {
    const abort = new AbortController();
    const stop = clock.after(limits.startMs, () => abort.abort());
    try {
      const listed = await options.current()?.listTools(abort.signal);
      if (listed) await options.definitions.take(listed);
    } catch (error) {
      options.log.warn({ server: options.name, error }, `${options.name} reported changed tools but did not list them`);
    } finally {
      stop();
      cancel = undefined;
    }
  };
  return {
    soon() {
      cancel ??= clock.after(limits.relistMs, () => void relist());
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
