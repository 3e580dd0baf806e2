import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';

/** The agents are the models of this protocol. */
export function findModel(agents: readonly Agent[], name: string): Agent {
  const agent = agents.find((one) => one.name === name);
  if (agent) return agent;
  const names = agents.map((one) => one.name).join(', ');
  throw new AppError('agent_not_found', { detail: `There is no model ${name.slice(0, 200)}. Use one of: ${names}.` });
}
