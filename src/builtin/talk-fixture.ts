import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { systemClock } from '../clock.ts';
import { userFromId } from '../identity/user.ts';
import type { Model, ToolDefinition } from '../models/model.ts';
import { AgentFile } from '../schema/agent.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { Intent } from '../schema/domain.ts';
import type { FileNote } from '../schema/file.ts';
import type { JsonObject } from '../schema/json.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { createSqliteTaskStore } from '../tasks/sqlite-task-store.ts';
import { createTaskTools } from '../tasks/task-tools.ts';
import type { Tool } from '../tools/tool.ts';
import { createBuiltinModel } from './builtin-model.ts';

const USER = userFromId('00000000-0000-4000-8000-00000000000a');

const TODO_INTENTS = AgentFile.parse(
  parse(readFileSync(new URL('../../agents/todo/agent.yaml', import.meta.url), 'utf8')),
).intents;

/** Holds no state between messages, so that all talks can share its tables. */
const TODO_MODEL = createBuiltinModel({ agent: { intents: TODO_INTENTS } });

export interface Said {
  text: string;
  intents: Intent[];
  calls: { name: string; arguments: JsonObject }[];
}

/** A conversation with the built-in model and real tools, without a runtime. */
export function openTalk({
  model = TODO_MODEL,
  now = new Date('2026-11-15T12:00:00Z'),
  tools = taskTools(() => now),
  timezone = 'Europe/Berlin',
} = {}) {
  const messages: Message[] = [];
  const definitions = tools.map(withoutUser);

  /** `files` are the attachments that the message declares. */
  async function say(content: string, files: readonly FileNote[] = []): Promise<Said> {
    const metadata = files.length > 0 ? { files: [...files] } : {};
    const turnId = newUlid();
    messages.push({ id: turnId, role: 'user', content, timestamp: now.toISOString(), metadata });
    const said: Said = { text: '', intents: [], calls: [] };
    for (let step = 0; step < 10; step++) {
      const reply = await askModel(model, { system: '', messages, tools: definitions, now, timezone });
      said.intents.push(...reply.intents);
      said.text = reply.text;
      const calls = reply.calls.map(({ id, name, args }) => ({ id, name, arguments: args }));
      messages.push({
        ...stamp(now),
        metadata: reply.metadata,
        role: 'assistant',
        content: reply.text,
        ...(calls.length > 0 && { tool_calls: calls }),
      });
      if (calls.length === 0) return said;
      for (const call of calls) {
        said.calls.push({ name: call.name, arguments: call.arguments });
        messages.push({ ...stamp(now), role: 'tool', tool_call_id: call.id, content: await run(tools, call, turnId) });
      }
    }
    throw new Error('the turn does not end');
  }
  return { say, messages };
}

/** The times that the store notes are of `now`, so that "what did I finish today" asks about the day of the talk. */
export function taskTools(now = systemClock.date): Tool[] {
  return createTaskTools(createSqliteTaskStore({ path: ':memory:', now }));
}

const stamp = (now: Date) => ({ id: newUlid(), timestamp: now.toISOString(), metadata: {} });

async function askModel(model: Model, request: Parameters<Model['stream']>[0]) {
  const reply = {
    text: '',
    intents: [] as Intent[],
    calls: [] as { id: string; name: string; args: JsonObject }[],
    metadata: {} as JsonObject,
  };
  for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
    if (chunk.type === 'text') reply.text += chunk.text;
    if (chunk.type === 'intent') reply.intents.push(...chunk.intents);
    if (chunk.type === 'finish') reply.metadata = chunk.metadata ?? {};
    if (chunk.type === 'tool-call')
      reply.calls.push({ id: chunk.id, name: chunk.name, args: JSON.parse(chunk.arguments) });
  }
  return reply;
}

async function run(
  tools: readonly Tool[],
  call: { id: string; name: string; arguments: JsonObject },
  turnId: string,
): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) throw new Error(`no tool ${call.name}`);
  const outcome = await tool.run(
    { user_id: USER.id, ...call.arguments },
    {
      user: USER,
      conversationId: 'c',
      callId: call.id,
      turnId,
      signal: new AbortController().signal,
      progress() {},
      ask: () => Promise.reject(new Error('nobody')),
    },
  );
  if ('error' in outcome) return JSON.stringify(outcome);
  return typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result);
}

function withoutUser({ name, description, inputSchema }: Tool): ToolDefinition {
  const { user_id: _, ...properties } = (inputSchema.properties ?? {}) as JsonObject;
  const required = ((inputSchema.required ?? []) as string[]).filter((field) => field !== 'user_id');
  return { name, description, inputSchema: { ...inputSchema, properties, required } };
}

export type Tasks = { title: string; due: string | null; done: boolean }[];

/** The user's tasks now, times as on the clock of the zone. */
export async function listTasks(tools: readonly Tool[], zone: string): Promise<Tasks> {
  const tool = tools.find(({ name }) => name === 'list_tasks');
  const outcome = await tool?.run(
    { user_id: USER.id },
    // The tool reads only the user of its context.
    { user: USER, conversationId: 'c', callId: 'eval', signal: new AbortController().signal } as never,
  );
  const result =
    outcome && 'result' in outcome
      ? (outcome.result as { title: string; due_date?: string; is_completed: boolean }[])
      : [];
  return result.map(({ title, due_date, is_completed }) => ({
    title,
    due: localDue(due_date, zone),
    done: is_completed,
  }));
}

function localDue(due: string | undefined, zone: string): string | null {
  if (due === undefined) return null;
  if (!due.includes('T')) return due;
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(due),
  );
  return parts.replace(' ', 'T');
}
