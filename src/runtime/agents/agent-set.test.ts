import { describe, expect, it } from 'vitest';
import { buildAgent } from '../../../test/build.ts';
import { createScriptedModel } from '../../models/scripted.ts';
import type { Agent } from '../../schema/agent.ts';
import { openAgentSet } from './agent-set.ts';
import { createReadyAgent } from './ready-agent.ts';

async function open(settled: () => Promise<void> = async () => {}) {
  const closed: string[] = [];
  const makeReady = async (agent: Agent) => {
    if (agent.description === 'broken') throw new Error('cannot start');
    const ready = createReadyAgent({ agent, model: createScriptedModel([]), sources: [], plugins: [], opened: [] });
    return { ...ready, close: async () => void closed.push(agent.instructions) };
  };
  const set = await openAgentSet({ agents: [buildAgent({ instructions: 'old' })], makeReady, settled });
  return { set, closed };
}

describe('openAgentSet', () => {
  it('returns the new agent at once and closes the old one when running turns have ended', async () => {
    const turns = Promise.withResolvers<void>();
    const { set, closed } = await open(() => turns.promise);
    await set.replace(buildAgent({ instructions: 'new' }));
    expect(set.find('helper').agent.instructions).toBe('new');
    expect(closed).toEqual([]);
    turns.resolve();
    await set.close();
    expect(closed.toSorted()).toEqual(['new', 'old']);
  });

  it('keeps the old agent when the new one cannot be made ready', async () => {
    const { set, closed } = await open();
    await expect(set.replace(buildAgent({ description: 'broken' }))).rejects.toThrow('cannot start');
    expect(set.agents.map(({ instructions }) => instructions)).toEqual(['old']);
    expect(closed).toEqual([]);
  });

  it('refuses an agent of another name', async () => {
    const { set } = await open();
    await expect(set.replace(buildAgent({ name: 'other' }))).rejects.toMatchObject({ code: 'agent_not_found' });
  });
});
