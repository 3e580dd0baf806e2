import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { type Offer, offerTools } from '../tools/offer.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import { createValidator, type Validator } from '../tools/validate.ts';

/** An agent with everything that its turns need. */
export interface ReadyAgent {
  agent: Agent;
  model: Model;
  sources: readonly ToolSource[];
  validator: Validator;
  /** What this user's turn may call now. A tool of the caller's never stands in the place of one of ours. */
  offer(user: User, options: { signal: AbortSignal; clientTools?: readonly Tool[] }): Promise<Offer>;
  close(): Promise<void>;
}

export function createReadyAgent(options: { agent: Agent; model: Model; sources: readonly ToolSource[] }): ReadyAgent {
  const { agent, sources } = options;
  return {
    ...options,
    validator: createValidator(),
    async offer(user, { signal, clientTools = [] }) {
      const tools = await Promise.all(sources.map((source) => source.tools(user, { signal })));
      return offerTools([...tools.flat(), ...clientTools], { mayLackBound: (tool) => isUnbound(agent, tool) });
    },
    async close() {
      await Promise.allSettled(sources.map((source) => source.close()));
    },
  };
}

function isUnbound(agent: Agent, tool: Tool): boolean {
  const entry = agent.tools.find((config) => config.name === tool.source);
  return entry?.type === 'mcp' && entry.unbound.includes(tool.name);
}
