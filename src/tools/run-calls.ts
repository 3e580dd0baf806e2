import type { ToolCall } from '../schema/tool-call.ts';

export interface RunCallsOptions<T> {
  /** How many run at once. */
  parallel: number;
  /** Runs one call, usually `runCall` with the turn's surroundings. */
  run(call: T): Promise<ToolCall>;
  /** Awaited as each call ends, in the order in which they end. */
  onEnd?(call: ToolCall): Promise<void> | void;
}

/**
 * Runs the calls of one reply side by side and returns them in call order. When `run` or `onEnd` rejects (the record
 * cannot be written) nothing more is started, what runs is waited for, and the first rejection is thrown.
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
