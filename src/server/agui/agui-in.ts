import * as z from 'zod';
import { askedCalls, foldEvents } from '../../agent/turn-state.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import type { ContextEntry } from '../../runtime/turn/caller-context.ts';
import { MAX_TAKEN } from '../../runtime/turn/caller-history.ts';
import { createClientTool } from '../../runtime/turn/client-tools.ts';
import { ThreadId } from '../../schema/conversation/conversation.ts';
import type { CallAnswer, CallWait, Event } from '../../schema/conversation/event.ts';
import type { FileContent } from '../../schema/file.ts';
import type { ResumeEntry, RunAgentInput } from '../../schema/fronts/agui.ts';
import { isObject, type Json, lazyLoose } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Path } from '../../yaml/problem.ts';
import { invalidAt, parseRequest } from '../http/parse.ts';
import { byAddress, dataFile, decodeFiles, type UnreadFile } from '../rest/attachments.ts';

const Part = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({
      type: z.enum(['image', 'audio', 'video', 'document']),
      source: z.looseObject({ type: z.string() }),
    }),
    /** The part type of clients from before parts had a `source`. */
    z.looseObject({ type: z.literal('binary'), mimeType: z.string(), data: z.string().nullish() }),
  ]),
);

/** The content of an AG-UI message: text, or parts. */
const Content = z.lazy(() => z.union([z.string(), z.array(Part).max(100)]));
type Content = z.infer<typeof Content>;

const Source = lazyLoose(() => ({ value: z.string().nullish(), mimeType: z.string().max(255).nullish() }));
const Binary = lazyLoose(() => ({ url: z.string().nullish(), mimeType: z.string().max(255).nullish() }));

/** Older parts carry the file name themselves, newer ones in their metadata. */
const FileName = z.lazy(() =>
  z
    .looseObject({
      filename: z.string().nullish(),
      metadata: z.looseObject({ filename: z.string().nullish() }).nullish(),
    })
    .transform(({ filename, metadata }) => (filename ?? metadata?.filename)?.slice(0, 255)),
);

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The files of a message. A file that cannot be read is refused by its verdict; the run continues. */
function filesOf(content: Content, where: Path): (FileContent | UnreadFile)[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part, index) => {
    if (part.type === 'text') return [];
    const place = [...where, index];
    const file = part.type === 'binary' ? binaryFile(part, place) : sourceFile(part.source, [...place, 'source']);
    const filename = FileName.safeParse(part).data;
    return [{ ...file, ...(filename && { filename }) }];
  });
}

function sourceFile(source: { type: string }, place: Path): FileContent | UnreadFile {
  const { value, mimeType } = parseRequest(Source, source, place);
  if (source.type !== 'data') return byAddress(value ?? '', mimeType);
  return dataFile(value, mimeType, [...place, 'value']);
}

function binaryFile(part: { data?: string | null | undefined }, place: Path): FileContent | UnreadFile {
  const { url, mimeType } = parseRequest(Binary, part, place);
  return part.data ? dataFile(part.data, mimeType, [...place, 'data']) : byAddress(url ?? '', mimeType);
}

/** A message without a usable id counts as new. */
const MessageId = lazyLoose(() => ({ id: ThreadId }));
const UserContent = lazyLoose(() => ({ content: Content }));
const Decision = z.lazy(() =>
  z.union([
    z.boolean().transform((approved) => ({ approved, reason: undefined })),
    z.looseObject({ approved: z.boolean(), reason: z.string().nullish() }),
  ]),
);
const RunKey = z.lazy(() => z.tuple([z.string(), z.string()]));
const ToolResult = lazyLoose(() => ({ toolCallId: z.string(), content: Content, error: z.string().nullish() }));

interface TrailingMessage {
  message: string;
  files: AttachedFile[];
  clientId?: string;
}

/** The new message of a run: the last one, if it is a user message, with its files. */
export function trailingMessage({ messages }: RunAgentInput): TrailingMessage | undefined {
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
const EarlierContent = lazyLoose(() => ({ content: Content }));

/** The messages before the new one, in the shape of history. They are unchecked. */
export function earlierMessages({ messages }: RunAgentInput): unknown[] {
  const end = Math.max(
    messages.findLastIndex((message) => isRole(message, 'user')),
    0,
  );
  // A client may send 100,000 messages with each run; parsing all of them would block every other request.
  return messages.slice(Math.max(end - MAX_TAKEN, 0), end).flatMap((message) => {
    if (!isObject(message) || isRole(message, ...SHOWN_ONLY)) return [];
    const calls = Array.isArray(message.toolCalls) ? { tool_calls: message.toolCalls } : {};
    const id = MessageId.safeParse(message).data?.id;
    const known = id === undefined ? {} : { client_id: id };
    return [{ role: message.role, content: earlierText(message), ...calls, ...known }];
  });
}

/** Most messages are plain text; the others are parsed. */
function earlierText(message: { content?: unknown }): string {
  if (typeof message.content === 'string') return message.content;
  const parsed = EarlierContent.safeParse(message).data;
  return parsed ? textOf(parsed.content) : '';
}

function isRole(message: unknown, ...roles: string[]): boolean {
  if (typeof message !== 'object' || message === null || !('role' in message)) return false;
  return typeof message.role === 'string' && roles.includes(message.role);
}

/** The front end's tools. A tool with the name of one of ours is never offered. */
export function clientToolsOf({ tools }: RunAgentInput): Tool[] {
  return (tools ?? []).map(({ name, description, parameters }) =>
    createClientTool({ name, description, ...(parameters && { inputSchema: { type: 'object', ...parameters } }) }),
  );
}

/**
 * Whether the client accepts REASONING_* events. Clients before 0.0.45 fail on them and send no version, so they opt
 * out.
 */
export function wantsReasoning({ forwardedProps }: RunAgentInput): boolean {
  return !(isObject(forwardedProps) && forwardedProps.reasoning === false);
}

/** The page's current context. */
export function contextOf({ context }: RunAgentInput): ContextEntry[] {
  return (context ?? []).map(({ description, value }) => ({
    description,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/**
 * The answers of a run to a waiting turn: results of front-end calls, from its messages, and decisions, from `resume`.
 * Every interrupt must be answered exactly once, and nothing else. Without events no turn waits.
 */
export function answersOf(input: RunAgentInput, events: readonly Event[]): CallAnswer[] {
  if (events.length === 0) {
    refuseStrayEntries(input, new Set());
    return [];
  }
  const state = foldEvents(events);
  const waiting = askedCalls(state);
  const results = toolResults(input);
  const interrupts = waiting.filter((id) => state.waits.get(id)?.kind !== 'client');
  refuseStrayEntries(input, new Set(interrupts));
  const entries = new Map((input.resume ?? []).map((entry) => [entry.interruptId, entry]));
  const answers = waiting.flatMap((id): CallAnswer[] => {
    const wait = state.waits.get(id);
    if (wait?.kind === 'client') return results.has(id) ? [{ call_id: id, result: results.get(id) ?? null }] : [];
    const entry = entries.get(id);
    return entry && wait ? [toAnswer(entry, wait)] : [];
  });
  if (answers.length > 0) checkCoverage(interrupts, entries);
  return answers;
}

/** Rejects an answer to no open interrupt: the client would believe that it was accepted. */
function refuseStrayEntries({ resume }: RunAgentInput, open: ReadonlySet<string>): void {
  const ids = (resume ?? []).map((entry) => entry.interruptId);
  const problems = ids.flatMap((id, index) => {
    const path = ['resume', index, 'interruptId'];
    if (!open.has(id)) return [{ path, message: 'is not an open interrupt of this thread' }];
    return ids.indexOf(id) < index ? [{ path, message: 'is already answered by an earlier entry' }] : [];
  });
  if (problems.length > 0) throw invalidAt(...problems);
}

function toolResults({ messages }: RunAgentInput): Map<string, Json> {
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

function checkCoverage(interrupts: readonly string[], entries: ReadonlyMap<string, ResumeEntry>): void {
  const open = interrupts.filter((id) => !entries.has(id));
  if (open.length === 0) return;
  throw invalidAt(
    ...open.map((id) => ({
      path: ['resume'],
      message: `has no entry for the interrupt ${id}; answer all of them`,
    })),
  );
}

const KEY_PREFIX = 'ag-ui:';

/** (user, agent, threadId, runId) identifies a run; every key is already scoped by user and agent. */
export function keyOfRun({ threadId, runId }: RunAgentInput): string {
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
