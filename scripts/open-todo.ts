import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../src/clock.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import type { User } from '../src/schema/user.ts';

const AGENT = fileURLToPath(new URL('../agents/todo/agent.yaml', import.meta.url));

export interface Todo {
  say(user: User, message: string, conversationId?: string): Promise<{ result: TurnResult; conversationId: string }>;
  close(): Promise<void>;
}

/** The shipped todo agent, in a temporary data folder. */
export async function openTodo(options: { now?: Date } = {}): Promise<Todo> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-todo-'));
  const clock: Clock = options.now ? { ...systemClock, date: () => options.now ?? new Date() } : systemClock;
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder, clock });
  return {
    say: (user, message, conversationId) => sayTo(runtime, user, { message, conversationId }),
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sayTo(
  runtime: Runtime,
  user: User,
  { message, conversationId }: { message: string; conversationId: string | undefined },
) {
  const agent = runtime.agents[0]?.name ?? '';
  const turn = await runtime.chat(user, { agent, message, ...(conversationId !== undefined && { conversationId }) });
  let result: TurnResult | undefined;
  for await (const event of turn.events) if (event.type === 'turn-end') result = event.result;
  if (!result) throw new Error(`The turn of "${message}" did not end.`);
  return { result, conversationId: turn.conversationId };
}
