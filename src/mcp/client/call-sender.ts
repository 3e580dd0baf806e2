import type { Clock } from '../../clock.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { NOT_SET_UP } from '../../tools/tool.ts';
import type { SupervisorLimits } from '../limits.ts';
import type { ConnectionKeeper, KeeperState } from '../supervise/connection-keeper.ts';
import { type CountedCall, type CrashGuard, countedCall } from '../supervise/crash-guard.ts';
import type { Definition } from '../supervise/definitions.ts';
import { untilAborted, waitAtMost } from '../wait.ts';
import type { CallAnswer, McpConnection } from './client.ts';

export interface SenderOptions {
  name: string;
  clock: Clock;
  limits: SupervisorLimits;
  keeper: ConnectionKeeper;
  guard: CrashGuard;
}

/** Sends calls over the current connection and updates the connection's state from their outcomes. */
export interface CallSender {
  send(tool: Definition, args: JsonObject, context: ToolContext): Promise<CallAnswer>;
}

/** A call waits for the next start only if at least the same time remains for the call itself. */
const SHARE_FOR_WAITING = 1 / 2;

export function createCallSender(options: SenderOptions, running: RunningCalls): CallSender {
  const { name, keeper, guard } = options;
  const checks = createChecks(options);
  const take = async (context: ToolContext): Promise<McpConnection | undefined> => {
    const connection = await getOrWait(options, context);
    const checking = connection && checks.find(connection);
    if (!checking) return connection;
    await checking;
    return getOrWait(options, context);
  };
  /** Returns the connection check that this answer requires. */
  const learn = (connection: McpConnection, call: CountedCall, answer: CallAnswer): Promise<void> | undefined => {
    if (!('failure' in answer)) {
      guard.noteAnswer(call);
      keeper.noteSuccess();
      return undefined;
    }
    const { kind, reason } = answer.failure;
    if (kind === 'broken') return checks.start(connection, { reason, isBusy: false }, call);
    if (kind === 'busy') return checks.start(connection, { reason, isBusy: true });
    if (kind === 'forgotten') keeper.renew(connection);
    else keeper.drop(connection, reason);
    return undefined;
  };

  return {
    async send(tool, args, context) {
      const call = countedCall(context.user, tool.serverName, args);
      const connection = guard.refusal(call) ? undefined : await untilAborted(take(context), context.signal);
      const refusal = guard.refusal(call);
      if (refusal) return absent(refusal);
      if (!connection) return missing(name, keeper.state());
      running.add(connection, call);
      let checking: Promise<void> | undefined;
      try {
        const answer = await connection.callTool(tool.serverName, args, context);
        checking = learn(connection, call, answer);
        return answer;
      } catch (error) {
        checking = checks.start(connection, { reason: 'does not answer', isBusy: false });
        throw error;
      } finally {
        // A call that makes its server hang has ended, but still counts as the cause.
        if (checking) void checking.then(() => running.delete(connection, call));
        else running.delete(connection, call);
      }
    },
  };
}

interface Doubt {
  reason: string;
  isBusy: boolean;
}

/** Checks whether connections still work, once for all calls that doubt the same connection at the same time. */
function createChecks({ clock, limits, keeper, guard }: SenderOptions) {
  const checks = new Map<McpConnection, { done: Promise<void>; broken: CountedCall[] }>();
  const check = async (connection: McpConnection, { reason, isBusy }: Doubt, broken: readonly CountedCall[]) => {
    const abort = new AbortController();
    const cancel = clock.after(limits.pingMs, () => abort.abort());
    try {
      await connection.ping(abort.signal);
      guard.noteCrash(broken);
    } catch {
      keeper.drop(connection, reason, isBusy);
    } finally {
      cancel();
      checks.delete(connection);
    }
  };
  return {
    find: (connection: McpConnection) => checks.get(connection)?.done,
    /** `call` counts as the cause of the broken answer, even if the connection still works. */
    start(connection: McpConnection, doubt: Doubt, call?: CountedCall): Promise<void> {
      const known = checks.get(connection);
      const broken = known?.broken ?? [];
      if (call) broken.push(call);
      if (known) return known.done;
      const done = check(connection, doubt, broken);
      checks.set(connection, { done, broken });
      return done;
    },
  };
}

/** The running calls of each connection. */
export interface RunningCalls {
  add(connection: McpConnection, call: CountedCall): void;
  delete(connection: McpConnection, call: CountedCall): void;
  of(connection: McpConnection): CountedCall[];
}

export function createRunningCalls(): RunningCalls {
  const calls = new Map<McpConnection, Set<CountedCall>>();
  return {
    add(connection, call) {
      calls.set(connection, (calls.get(connection) ?? new Set()).add(call));
    },
    delete(connection, call) {
      const left = calls.get(connection);
      left?.delete(call);
      if (left?.size === 0) calls.delete(connection);
    },
    of: (connection) => [...(calls.get(connection) ?? [])],
  };
}

/** Returns the connection, or waits for the next start if it is due soon enough. */
async function getOrWait({ keeper, clock }: SenderOptions, context: ToolContext): Promise<McpConnection | undefined> {
  const connection = await keeper.get();
  if (connection) return connection;
  const { nextTryMs = 0 } = keeper.state();
  const remainingMs = context.remainingMs?.() ?? Number.POSITIVE_INFINITY;
  if (nextTryMs > remainingMs * SHARE_FOR_WAITING) return undefined;
  await waitAtMost(new Promise(() => {}), { waitMs: nextTryMs, signal: context.signal, clock });
  return context.signal.aborted ? undefined : keeper.get();
}

/** Without a login, trying again does not help; only the user can. */
function missing(name: string, state: KeeperState): CallAnswer {
  if (!state.login) return absent(describeState(name, state), NOT_SET_UP);
  const message = `${state.login.message}. Pass this on to the user.`;
  return { outcome: { error: { error_type: 'PermissionDenied', message, details: NOT_SET_UP } } };
}

function absent(why: string, details?: JsonObject): CallAnswer {
  const message = `${why}. Continue without it and mention that.`;
  return { outcome: { error: { error_type: 'ToolInvocationError', message, ...(details && { details }) } } };
}

/** Example: "inventory is not reachable (it refused the connection), next try in 4 s". */
export function describeState(name: string, { reason, login, nextTryMs = 0 }: KeeperState): string {
  if (login) return login.message;
  const when = nextTryMs > 0 ? `in ${Math.ceil(nextTryMs / 1000)} s` : 'with the next question';
  return `${name} is not reachable${reason ? ` (it ${reason})` : ''}, next try ${when}`;
}
