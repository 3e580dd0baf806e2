import type { JsonObject } from '../schema/json.ts';
import type { ToolContext, ToolOutcome } from '../tools/tool.ts';
import { createCallSender, createRunningCalls } from './call-sender.ts';
import type { McpConnection } from './client.ts';
import {
  type ConnectionKeeper,
  createConnectionKeeper,
  type KeeperOptions,
  type KeeperState,
} from './connection-keeper.ts';
import { createCrashGuard } from './crash-guard.ts';
import { type AcceptedMemory, createDefinitionBook, type DefinitionBook } from './definition-book.ts';
import type { Definition } from './definitions.ts';
import type { Failure } from './failure.ts';
import { createIdleTimer } from './idle-timer.ts';
import { createRefresh } from './refresh.ts';
import { untilAborted, waitAtMost } from './wait.ts';

export interface ServerOptions extends Omit<KeeperOptions, 'open' | 'onLost'> {
  connect(options: { signal: AbortSignal; onToolsChanged(): void }): Promise<McpConnection>;
  /** Where accepted definitions are kept; absent = in this process. */
  accepted?: AcceptedMemory;
  /** Closes the connection after so long without use; absent = stays open. */
  idleMs?: number;
}

/** One server, or one user's connection to it, kept usable: started when needed, given up and tried again by rule. */
export interface SupervisedServer {
  readonly book: DefinitionBook;
  readonly isBusy: boolean;
  /** The accepted definitions. Waits for the first start only, and no longer than `waitMs`, or `offerMs`. */
  offer(signal: AbortSignal, waitMs?: number): Promise<readonly Definition[]>;
  /** Rejects only when the context's signal aborts. */
  call(tool: Definition, args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
  state(): KeeperState;
  /** Ends the connection; what was accepted stays known. */
  disconnect(): Promise<void>;
}

export function createSupervisedServer(options: ServerOptions): SupervisedServer {
  const { name, clock, limits } = options;
  const book = createDefinitionBook(options.accepted);
  const guard = createCrashGuard(options);
  const running = createRunningCalls();
  const keeper: ConnectionKeeper = createConnectionKeeper({
    ...options,
    onLost: (connection) => guard.noteCrash(running.of(connection)),
    async open(signal) {
      const connection = await options.connect({ signal, onToolsChanged: () => refresh.soon() });
      return listFirst(connection, book, signal);
    },
  });
  const refresh = createRefresh({ ...options, book, current: keeper.current });
  const idle = createIdleTimer(options, () => void keeper.close());
  const sender = createCallSender({ name, clock, limits, keeper, guard }, running);
  return {
    book,
    get isBusy() {
      return idle.isBusy;
    },
    async offer(signal, waitMs = limits.offerMs) {
      const opened = keeper.get();
      if (!book.accepted) await waitAtMost(opened, { signal, waitMs, clock });
      if (book.pending) await book.recheck();
      idle.touch();
      return book.accepted ?? [];
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

/** A connection whose tools cannot be listed is of no use. */
async function listFirst(connection: McpConnection, book: DefinitionBook, signal: AbortSignal): Promise<McpConnection> {
  try {
    await book.take(await untilAborted(connection.listTools(signal), signal));
    return connection;
  } catch (error) {
    void connection.close().catch(() => {});
    throw error;
  }
}

function describeLoss(name: string, failure: Failure): ToolOutcome {
  const message = `${name} ${failure.reason} while the call was running; whether it took effect is not known.`;
  return { error: { error_type: 'ToolInvocationError', message }, unknown: true };
}
