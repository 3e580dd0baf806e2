import * as z from 'zod';
import { foldEvents, type TurnState } from '../agent/turn-state.ts';
import type { AttachedFile } from '../runtime/attached-file.ts';
import type { ContextEntry } from '../runtime/caller-context.ts';
import { MAX_TAKEN } from '../runtime/caller-history.ts';
import { createClientTool } from '../runtime/client-tools.ts';
import { ThreadId } from '../schema/conversation.ts';
import type { CallAnswer, CallWait, Event } from '../schema/event.ts';
import { isObject, Json, JsonObject } from '../schema/json.ts';
import type { Tool } from '../tools/tool.ts';
import { Content, filesOf, textOf } from './agui-content.ts';
import { decodeFiles } from './attachments.ts';
import { invalidAt, parseRequest } from './parse.ts';

const MAX_TOOLS = 128;
const MAX_CONTEXT = 1_000;

const FrontEndTool = z.looseObject({
  name: z.string().min(1).max(64),
  description: z.string().max(10_000).default(''),
  parameters: JsonObject.nullish(),
});
const PageContext = z.looseObject({
  description: z.string(),
  /** Text by the protocol; what else a page sends is shown as JSON. */
  value: Json,
});
const ResumeEntry = z.looseObject({
  interruptId: z.string().min(1).max(200),
  status: z.enum(['resolved', 'cancelled']),
  payload: Json.optional(),
});
type ResumeEntry = z.infer<typeof ResumeEntry>;

/** What is read of AG-UI's input. History is the store's, so its messages are looked at only where one is taken. */
export const RunInput = z.looseObject({
  threadId: ThreadId,
  runId: ThreadId,
  protocolVersion: z.string().max(20).nullish(),
  state: z.unknown().optional(),
  messages: z.array(z.unknown()).max(100_000),
  context: z.array(PageContext).max(MAX_CONTEXT).nullish(),
  tools: z.array(FrontEndTool).max(MAX_TOOLS).nullish(),
  resume: z.array(ResumeEntry).max(100).nullish(),
  forwardedProps: z.unknown().optional(),
});
export type RunInput = z.infer<typeof RunInput>;

/** A message without an id that can be kept is a new one. */
const MessageId = z.looseObject({ id: ThreadId });
const UserContent = z.looseObject({ content: Content });
const Decision = z.union([
  z.boolean().transform((approved) => ({ approved, reason: undefined })),
  z.looseObject({ approved: z.boolean(), reason: z.string().nullish() }),
]);
const RunKey = z.tuple([z.string(), z.string()]);
const ToolResult = z.looseObject({ toolCallId: z.string(), content: Content, error: z.string().nullish() });

interface TrailingMessage {
  message: string;
  files: AttachedFile[];
  clientId?: string;
}

/** The message that a run brings: the last one, if it is the user's, with its files. */
export function trailingMessage({ messages }: RunInput): TrailingMessage | undefined {
  const index = messages.findLastIndex((message) => isRole(message, 'user', 'assistant', 'tool'));
  const last = messages[index];
  if (!isRole(last, 'user')) return undefined;
  const { content } = parseRequest(UserContent, last, ['messages', index]);
  const files = decodeFiles(filesOf(content, ['messages', index, 'content']));
  const clientId = MessageId.safeParse(last).data?.id;
  return { message: textOf(content), files, ...(clientId && { clientId }) };
}

/** Roles whose messages are for display only. */
const SHOWN_ONLY = ['reasoning', 'activity'];
const EarlierContent = z.looseObject({ content: Content });

/** The messages before the one that a run brings, in the shape of history. Nothing of them has been checked. */
export function earlierMessages({ messages }: RunInput): unknown[] {
  const end = Math.max(
    messages.findLastIndex((message) => isRole(message, 'user')),
    0,
  );
  // A client may send 100,000 messages with each run; reading all of them would hold up everybody.
  return messages.slice(Math.max(end - MAX_TAKEN, 0), end).flatMap((message) => {
    if (!isObject(message) || isRole(message, ...SHOWN_ONLY)) return [];
    const parsed = EarlierContent.safeParse(message).data;
    const calls = Array.isArray(message.toolCalls) ? { tool_calls: message.toolCalls } : {};
    const id = MessageId.safeParse(message).data?.id;
    const known = id === undefined ? {} : { client_id: id };
    return [{ role: message.role, content: parsed ? textOf(parsed.content) : '', ...calls, ...known }];
  });
}

function isRole(message: unknown, ...roles: string[]): boolean {
  if (typeof message !== 'object' || message === null || !('role' in message)) return false;
  return typeof message.role === 'string' && roles.includes(message.role);
}

/** The front end's tools. One that has the name of a tool of ours is never offered. */
export function clientToolsOf({ tools }: RunInput): Tool[] {
  return (tools ?? []).map(({ name, description, parameters }) =>
    createClientTool({ name, description, ...(parameters && { inputSchema: { type: 'object', ...parameters } }) }),
  );
}

/** Whether the client takes REASONING_* events: those before 0.0.45 break on them and cannot be told apart. */
export function wantsReasoning({ forwardedProps }: RunInput): boolean {
  return !(isObject(forwardedProps) && forwardedProps.reasoning === false);
}

/** What the page shows at this moment. */
export function contextOf({ context }: RunInput): ContextEntry[] {
  return (context ?? []).map(({ description, value }) => ({
    description,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/**
 * What a run answers of a waiting turn: results of calls that the front end ran, from its messages, and decisions from
 * `resume`. Every interrupt must be covered, once, and nothing else.
 */
export function answersOf(input: RunInput, events: readonly Event[]): CallAnswer[] {
  const state = foldEvents(events);
  const asked = events.findLast((event) => event.type === 'turn-wait')?.calls ?? [];
  const waiting = state.calls.filter((call) => call.state === 'waiting' && asked.includes(call.id));
  const results = toolResults(input);
  const interrupts = waiting.filter((call) => state.waits.get(call.id)?.kind !== 'client');
  refuseStrayEntries(input, new Set(interrupts.map((call) => call.id)));
  const entries = new Map((input.resume ?? []).map((entry) => [entry.interruptId, entry]));
  const answers = waiting.flatMap((call): CallAnswer[] => {
    const wait = state.waits.get(call.id);
    if (wait?.kind === 'client')
      return results.has(call.id) ? [{ call_id: call.id, result: results.get(call.id) ?? null }] : [];
    const entry = entries.get(call.id);
    return entry && wait ? [toAnswer(entry, wait)] : [];
  });
  if (answers.length > 0) checkCoverage(interrupts, entries);
  return answers;
}

/** An answer that nobody waits for must not get lost: whoever gave it believes that it was taken. */
export function refuseStrayEntries({ resume }: RunInput, open: ReadonlySet<string>): void {
  const ids = (resume ?? []).map((entry) => entry.interruptId);
  const problems = ids.flatMap((id, index) => {
    const path = ['resume', index, 'interruptId'];
    if (!open.has(id)) return [{ path, message: 'names no interrupt of this thread that is open' }];
    return ids.indexOf(id) < index ? [{ path, message: 'was answered by an earlier entry already' }] : [];
  });
  if (problems.length > 0) throw invalidAt(...problems);
}

function toolResults({ messages }: RunInput): Map<string, Json> {
  const found = messages.flatMap((message, index): [string, Json][] => {
    if (!isRole(message, 'tool')) return [];
    const { toolCallId, content, error } = parseRequest(ToolResult, message, ['messages', index]);
    return [[toolCallId, error ? { error } : textOf(content)]];
  });
  return new Map(found);
}

function toAnswer(entry: ResumeEntry, wait: CallWait): CallAnswer {
  const call_id = entry.interruptId;
  if (wait.kind === 'input') return { call_id, result: entry.status === 'cancelled' ? null : (entry.payload ?? null) };
  if (entry.status === 'cancelled') return { call_id, approved: false, reason: 'the question was closed' };
  const { approved, reason } = parseRequest(Decision, entry.payload, ['resume', call_id, 'payload']);
  return { call_id, approved, ...(reason && { reason }) };
}

function checkCoverage(interrupts: TurnState['calls'], entries: ReadonlyMap<string, ResumeEntry>): void {
  const open = interrupts.filter((call) => !entries.has(call.id));
  if (open.length === 0) return;
  throw invalidAt(
    ...open.map((call) => ({
      path: ['resume'],
      message: `has no entry for the interrupt ${call.id}; answer all of them`,
    })),
  );
}

const KEY_PREFIX = 'ag-ui:';

/** (user, agent, threadId, runId) is what makes a run the same run; user and agent come with every key. */
export function keyOfRun({ threadId, runId }: RunInput): string {
  return `${KEY_PREFIX}${JSON.stringify([threadId, runId])}`;
}

export function runIdOfKey(key: string | undefined): string | undefined {
  if (!key?.startsWith(KEY_PREFIX)) return undefined;
  try {
    const [, runId] = RunKey.parse(JSON.parse(key.slice(KEY_PREFIX.length)));
    return runId;
  } catch {
    return undefined;
  }
}
