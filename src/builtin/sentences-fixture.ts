import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ToolDefinition } from '../models/model.ts';
import { AgentFile } from '../schema/agent.ts';
import type { Intent } from '../schema/domain.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Outcome } from './conversation.ts';
import type { PlannedCall } from './plan.ts';
import { createReader as createMessageReader, readFiles } from './reader/reader.ts';
import { planTaskTurn } from './tasks/plan/task-turn.ts';
import { asRead } from './tasks/read/read-message.ts';

export interface Sentence {
  intent: string;
  text: string;
  slots: Record<string, string>;
}

/** Reads lines of an intent, a message and its slots (`title=call mom;when=tomorrow`), with a tab between them. */
export function readSentences(file: URL): Sentence[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [intent = '', text = '', slots = ''] = line.split('\t');
    const pairs = slots
      .split(';')
      .filter(Boolean)
      .map((pair) => pair.split('=', 2));
    return { intent, text, slots: Object.fromEntries(pairs) };
  });
}

/** Counts deletions for messages that request none, from a user whose tasks match every sentence. */
export function countUnaskedDeletions(sentences: readonly Sentence[]): number {
  const titles = [
    ...new Set(sentences.flatMap(({ slots }) => [slots.title, slots.ref]).filter((title) => title !== undefined)),
  ];
  const read = createReader(titles);
  const others = sentences.filter((sentence) => sentence.intent !== 'delete_task');
  return others.filter(({ text }) => read(text).calls.some((call) => call.name === 'delete_task')).length;
}

const NOW = new Date('2026-11-15T12:00:00Z');
const { intents } = AgentFile.parse(
  parse(readFileSync(new URL('../../agents/todo/agent.yaml', import.meta.url), 'utf8')),
);
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
