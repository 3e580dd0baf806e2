import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolContext } from '../tools/tool.ts';

/** Which running call a question from a server belongs to. */
export interface CallContexts {
  run<T>(context: ToolContext, call: () => Promise<T>): Promise<T>;
  /**
   * The call whose stream or answer carried the question. Where the protocol does not tell (older servers on one
   * shared pipe), the newest call, but only if all that run belong to the same conversation of the same user.
   */
  current(): ToolContext | undefined;
}

export function createCallContexts(): CallContexts {
  const scope = new AsyncLocalStorage<ToolContext>();
  const running = new Set<ToolContext>();
  return {
    async run(context, call) {
      running.add(context);
      try {
        return await scope.run(context, call);
      } finally {
        running.delete(context);
      }
    },
    current() {
      const known = scope.getStore();
      if (known) return known;
      const all = [...running];
      const newest = all.at(-1);
      const isOne = all.every(
        (other) => other.user.id === newest?.user.id && other.conversationId === newest.conversationId,
      );
      return isOne ? newest : undefined;
    },
  };
}
