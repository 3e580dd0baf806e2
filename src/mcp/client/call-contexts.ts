import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolContext } from '../../tools/tool.ts';

/** Maps a server's question to the running call that it belongs to. */
export interface CallContexts {
  run<T>(context: ToolContext, call: () => Promise<T>): Promise<T>;
  /**
   * Asks through the call whose stream or answer carried the question. Older servers on one shared pipe do not name the
   * call: then it is the oldest call that asks nothing yet, but only if all running calls belong to the same
   * conversation of the same user.
   */
  ask<T>(question: (context: ToolContext | undefined) => Promise<T>): Promise<T>;
}

export function createCallContexts(): CallContexts {
  const scope = new AsyncLocalStorage<ToolContext>();
  const running = new Set<ToolContext>();
  const asking = new Set<ToolContext>();
  return {
    async run(context, call) {
      running.add(context);
      try {
        return await scope.run(context, call);
      } finally {
        running.delete(context);
      }
    },
    async ask(question) {
      const context = scope.getStore() ?? findAsker(running, asking);
      if (!context) return question(undefined);
      asking.add(context);
      try {
        return await question(context);
      } finally {
        asking.delete(context);
      }
    },
  };
}

function findAsker(running: ReadonlySet<ToolContext>, asking: ReadonlySet<ToolContext>): ToolContext | undefined {
  const all = [...running];
  const [oldest] = all;
  const isOne = all.every(
    (other) => other.user.id === oldest?.user.id && other.conversationId === oldest.conversationId,
  );
  return isOne ? (all.find((context) => !asking.has(context)) ?? oldest) : undefined;
}
