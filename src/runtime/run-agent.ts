import { join } from 'node:path';
import { runStateless } from '../agent/run-stateless.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import { makeReady } from './runtime.ts';

export interface RunAgentOptions {
  agent: Agent;
  user: User;
  message: string;
  /** Earlier messages; yours to keep: take `messages` of each result and put it behind them. */
  history?: readonly Message[];
  signal?: AbortSignal;
  /** Instead of the model that the agent names. */
  model?: Model;
  /** Where tools of ours keep their tables; `.holodeck` beside the agent.yaml unless given. */
  folder?: string;
}

/** One turn, stateless: no conversation is stored. The last event, and the generator's return value, hold the result. */
export async function* runAgent(options: RunAgentOptions): AsyncGenerator<Event, TurnResult> {
  const { agent, user, signal } = options;
  const folder = options.folder ?? join(agent.folder, '.holodeck');
  const ready = await makeReady(agent, { folder, ...(options.model && { model: options.model }) });
  try {
    const { offered, notes } = await ready.offer(user, { signal: signal ?? new AbortController().signal });
    return yield* runStateless({ ...options, model: ready.model, tools: offered, notes, plugins: ready.plugins });
  } finally {
    await ready.close();
  }
}
