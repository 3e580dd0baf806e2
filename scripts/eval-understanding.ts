import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Outcome } from '../src/builtin/conversation.ts';
import type { PlannedCall } from '../src/builtin/plan.ts';
import { readFiles } from '../src/builtin/reader/read-files.ts';
import { createReader as createMessageReader } from '../src/builtin/reader/reader.ts';
import { planTaskTurn } from '../src/builtin/tasks/plan/task-turn.ts';
import { asRead } from '../src/builtin/tasks/read/read-message.ts';
import type { ToolDefinition } from '../src/models/model.ts';
import { AgentFile } from '../src/schema/agent.ts';
import type { Intent } from '../src/schema/intent.ts';
import type { JsonObject } from '../src/schema/json.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const { intents } = AgentFile.parse(parse(readFileSync(new URL('../agents/todo/agent.yaml', import.meta.url), 'utf8')));
const tools: ToolDefinition[] = Object.values(intents).flatMap(({ tool }) =>
  tool === undefined ? [] : [{ name: tool, description: '', inputSchema: {} }],
);

export interface Read {
  intent: Intent;
  intents: Intent[];
  calls: PlannedCall[];
}

/** Reads a message to the todo agent from a user with these tasks: its interpretation and the calls. */
export function createReader(titles: readonly string[] = []): (text: string) => Read {
  const reader = createMessageReader(readFiles());
  const tasks = titles.map((title, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    title,
    is_completed: index % 3 === 0,
  }));
  return (text) => {
    const message = {
      id: '01J00000000000000000000000',
      role: 'user',
      content: text,
      timestamp: NOW.toISOString(),
      metadata: {},
    } as const;
    const reading = reader.read(asRead(text), []);
    const readings = new Map(reading ? [[0, reading]] : []);
    const talk = { intents, tools, timezone: 'UTC', now: NOW, readings };
    const plan = planTaskTurn([{ message, records: [] }], talk);
    const calls: PlannedCall[] = [];
    let next = plan.next();
    while (!next.done) {
      calls.push(...next.value);
      next = plan.next(next.value.map((call) => answerCall(call, tasks)));
    }
    const [intent = { name: 'unknown', parameters: {} }] = next.value.intents;
    return { intent, intents: next.value.intents, calls };
  };
}

function answerCall(call: PlannedCall, tasks: JsonObject[]): Outcome {
  if (call.name === 'list_tasks') return { result: tasks };
  return { result: { id: '00000000-0000-4000-8000-000000000001', title: '', is_completed: false, ...call.arguments } };
}
