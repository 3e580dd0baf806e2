import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../../test/build.ts';
import { temporaryFolder } from '../../../test/runtime.ts';
import { runStateless } from '../../agent/run-stateless.ts';
import { systemClock } from '../../clock.ts';
import { systemIds } from '../../ids.ts';
import { createScriptedModel } from '../../models/scripted.ts';
import type { Capability } from '../../tools/tool.ts';
import { makeReady } from './make-ready.ts';
import type { OpenPlugin } from './plugin-parts.ts';
import { PLUGINS } from './plugins.ts';

const GREETING: Capability<string> = { name: 'greeting' };

/** A plugin of agents that have a description: it suggests a next message and brings a tool. */
const openGreeter: OpenPlugin = async ({ agent }) =>
  agent.description === undefined
    ? undefined
    : {
        plugin: { after: async () => ({ events: [], additions: { suggestions: ['Hello'] } }) },
        sources: [
          {
            name: 'greeter',
            tools: async () => [buildTool({ name: 'greet' })],
            status: () => ({ state: 'ready', tools: [] }),
            close: async () => {},
          },
        ],
        capabilities: new Map([[GREETING, agent.description]]),
      };

async function open(parts: Record<string, unknown>) {
  const model = createScriptedModel(['Fine.']);
  const given = { folder: temporaryFolder(), clock: systemClock, ids: systemIds, model };
  const ready = await makeReady(buildAgent(parts), { ...given, plugins: [...PLUGINS, openGreeter] });
  const { offered } = await ready.offer(ALICE, { signal: new AbortController().signal });
  const { agent, plugins } = ready;
  const turn = runStateless({ agent, user: ALICE, message: 'How are you?', model, tools: offered, plugins });
  for (;;) {
    const next = await turn.next();
    if (next.done) return { ready, tools: [...offered.keys()], result: next.value };
  }
}

describe('a new plugin of the loop', () => {
  it('is one row: its agents have its tools, its part of the result and its capability', async () => {
    const { ready, tools, result } = await open({ description: 'Says hello.' });
    expect({ tools, suggestions: result.suggestions }).toEqual({ tools: ['greet'], suggestions: ['Hello'] });
    expect(ready.find(GREETING)).toBe('Says hello.');
  });

  it('is not there for other agents', async () => {
    const { ready, tools, result } = await open({});
    expect({ tools, suggestions: result.suggestions }).toEqual({ tools: [], suggestions: [] });
    expect([ready.plugins, ready.find(GREETING)]).toEqual([[], undefined]);
  });
});
