import type { ToolCall } from '../schema/conversation/tool-call.ts';

export interface RunCallsOptions<T> {
  /** The number of calls that run at once. */
  parallel: number;
  /** Runs a call, usually with `runCall`. */
  run(call: T): Promise<ToolCall>;
  /** Awaited as each call ends, in the order of their ends. */
  onEnd?(call: ToolCall): Promise<void> | void;
}

/**
 * Runs the calls of a reply in parallel and returns them in call order. If `run` or `onEnd` rejects (a call cannot be
 * recorded), no further call starts, running calls are awaited, and the first rejection is thrown.
 */
export async function runCalls<T>(calls: readonly T[], options: RunCallsOptions<T>): Promise<ToolCall[]> {
  const ended: ToolCall[] = [];
  const queue = calls.entries();
  let isBroken = false;

  async function work(): Promise<void> {
    for (const [index, call] of queue) {
      if (isBroken) return;
      const done = await options.run(call);
      ended[index] = done;
      await options.onEnd?.(done);
    }
  }
  const lanes = Array.from({ length: Math.min(options.parallel, calls.length) }, () =>
    work().catch((error: unknown) => {
      isBroken = true;
      throw error;
    }),
  );
  const broken = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (broken) throw broken.reason;
  return ended;
}
