import type { Runtime } from '../../src/runtime/runtime.ts';
import { ALICE } from '../build.ts';

/** A conversation of Alice with this many questions, `question 1` and so on, each with its answer; returns its id. */
export async function fillConversation(runtime: Runtime, turns: number): Promise<string> {
  let conversationId: string | undefined;
  for (let turn = 1; turn <= turns; turn++) conversationId = await askOnce(runtime, `question ${turn}`, conversationId);
  return conversationId ?? '';
}

/** Asks the runtime's first agent and waits for the whole answer. */
export async function askOnce(runtime: Runtime, message: string, conversationId?: string): Promise<string> {
  const agent = runtime.agents[0]?.name ?? '';
  const turn = await runtime.chat(ALICE, { agent, message, ...(conversationId && { conversationId }) });
  for await (const _event of turn.events);
  return turn.conversationId;
}
