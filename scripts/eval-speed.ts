import { createBuiltinModel } from '../src/builtin/builtin-model.ts';
import type { ModelRequest, ToolDefinition } from '../src/models/model.ts';
import type { Agent } from '../src/schema/agent.ts';
import { newUlid } from '../src/schema/ids.ts';

export interface SpeedScore {
  loadMs: number;
  p95Ms: number;
  addedMb: number;
}

/** What the model costs: to the first answer, for each message after it, and in memory. Measure before anything else is loaded. */
export async function measureSpeed(texts: readonly string[], agent: Pick<Agent, 'intents'>): Promise<SpeedScore> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const model = createBuiltinModel({ agent });
  const answer = async (text: string, tools: readonly ToolDefinition[]) => {
    for await (const _ of model.stream(toRequest(text, tools), { signal: new AbortController().signal }));
  };
  await answer('what are my tasks?', taskTools(agent));
  await answer('what is the weather in Paris?', OTHER_TOOLS);
  const loadMs = performance.now() - started;
  const times: number[] = [];
  for (const text of texts) {
    times.push(await shortest(() => answer(text, taskTools(agent))));
  }
  const p95Ms = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return { loadMs, p95Ms, addedMb: (process.memoryUsage().rss - before) / 2 ** 20 };
}

/** The best of three, so that what else the machine does counts less. */
async function shortest(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return Math.min(...times);
}

const OTHER_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

function taskTools({ intents }: Pick<Agent, 'intents'>): ToolDefinition[] {
  const names = Object.values(intents).flatMap((intent) => intent.tool ?? []);
  return names.map((name) => ({ name, description: '', inputSchema: {} }));
}

function toRequest(content: string, tools: readonly ToolDefinition[]): ModelRequest {
  const now = new Date('2026-11-15T12:00:00Z');
  const message = { id: newUlid(), role: 'user', content, timestamp: now.toISOString(), metadata: {} } as const;
  return { system: '', messages: [message], tools, now, timezone: 'Europe/Berlin' };
}
