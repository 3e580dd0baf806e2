import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { type TokenUsage, tokenUsage } from '../schema/token-usage.ts';
import { keepMetadata } from './kept-metadata.ts';
import type { ModelChunk, ModelFinish } from './model.ts';
import { badReply, explainReported, unreadableReply } from './model-errors.ts';
import type { Origin } from './origin.ts';
import { type CollectedCall, createCallCollector, type ToolCallPart } from './tool-call-parts.ts';

export interface ReplyOptions {
  origin: Origin;
  label: string;
  date: () => Date;
  newId: () => string;
}

export interface OpenAiReply {
  /** Takes the content of one data line. Throws when it is no reply. */
  read(data: string): void;
  /** What arrived since the last time; text of one kind is one chunk. */
  takeChunks(): ModelChunk[];
  /** The model has said how it ended; only the usage may follow. */
  isFinished(): boolean;
  /** Nothing can follow. */
  isDone(): boolean;
  /** The tool calls and the end. Throws when the reply has no end or no content. */
  finish(): ModelChunk[];
}

/** Reads the stream of one chat completion, as the many servers of this protocol send it. */
export function createOpenAiReply(options: ReplyOptions): OpenAiReply {
  const { origin } = options;
  const calls = createCallCollector(options.newId);
  const text = createTextBuffer();
  let reason: string | undefined;
  let usage: TokenUsage | undefined;
  let isDone = false;

  return {
    read(data) {
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      const event = parseEvent(origin, data);
      if (event.error || event.object === 'error') throw explainReported(origin, describeFault(event), options.date());
      const choice = event.choices?.[0];
      const delta = choice?.delta ?? choice?.message;
      if (delta) {
        const reasoning = delta.reasoning_content ?? delta.reasoning;
        if (typeof reasoning === 'string') text.append('reasoning', reasoning);
        text.append(
          'text',
          typeof delta.content === 'string' ? delta.content : joinParts(delta.content ?? delta.refusal),
        );
        if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) calls.add(readCall(call));
      }
      if (choice?.finish_reason) reason = choice.finish_reason;
      if (event.usage) usage = readUsage(event.usage) ?? usage;
    },
    takeChunks: text.take,
    isFinished: () => reason !== undefined,
    isDone: () => isDone || (reason !== undefined && usage !== undefined),
    finish() {
      const made = calls.finish();
      const isEmpty = !text.hasContent() && made.length === 0;
      if (reason === undefined && text.isUnused() && made.length === 0)
        throw badReply(origin, 'sent an empty reply. Please try again');
      if (reason === undefined || reason === 'error')
        throw badReply(origin, 'stopped in the middle of its reply. Please try again');
      if (made.some((call) => call.name === '')) throw badReply(origin, 'asked for a tool without naming it');
      const finish = mapReason(reason, made.length > 0);
      const mustHaveContent = finish === 'stop' || finish === 'tool-calls';
      if (mustHaveContent && isEmpty) throw badReply(origin, 'sent an empty reply. Please try again');
      return writeEnd(made, { reason: finish, usage, label: options.label });
    },
  };
}

function createTextBuffer() {
  let chunks: ModelChunk[] = [];
  let hasContent = false;
  let isUnused = true;
  return {
    append(type: 'text' | 'reasoning', text: string) {
      if (text === '') return;
      isUnused = false;
      const last = chunks.at(-1);
      if (last?.type === type) last.text += text;
      else chunks.push({ type, text });
      if (type === 'text' && !hasContent) hasContent = /\S/.test(text);
    },
    take() {
      const taken = chunks;
      chunks = [];
      return taken;
    },
    hasContent: () => hasContent,
    isUnused: () => isUnused,
  };
}

function writeEnd(
  calls: CollectedCall[],
  end: { reason: ModelFinish; usage: TokenUsage | undefined; label: string },
): ModelChunk[] {
  const { reason, usage } = end;
  const extras = Object.fromEntries(calls.flatMap(({ id, extra }) => (extra === undefined ? [] : [[id, extra]])));
  const metadata = Object.keys(extras).length > 0 && keepMetadata(end.label, { calls: extras });
  return [
    ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool-call' as const, id, name, arguments: args })),
    { type: 'finish', reason, ...(usage && { usage }), ...(metadata && { metadata }) },
  ];
}

function readCall(call: WireCall): ToolCallPart {
  const args = call.function?.arguments;
  return {
    index: typeof call.index === 'number' ? call.index : undefined,
    id: typeof call.id === 'string' ? call.id : undefined,
    name: typeof call.function?.name === 'string' ? call.function.name : undefined,
    arguments: typeof args === 'object' && args !== null ? JSON.stringify(args) : (args?.toString() ?? undefined),
    extra: call.extra_content,
  };
}

interface WireCall {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: Json } | null;
  extra_content?: Json;
}

interface WireDelta {
  content?: Json;
  reasoning_content?: Json;
  reasoning?: Json;
  refusal?: Json;
  tool_calls?: WireCall[];
}

interface WireEvent {
  object?: string;
  error?: Json;
  message?: Json;
  code?: Json;
  choices?: { delta?: WireDelta | null; message?: WireDelta; finish_reason?: string | null }[];
  usage?: JsonObject | null;
}

interface WireFault {
  message?: Json | undefined;
  code?: Json | undefined;
  status?: Json | undefined;
}

function parseEvent(origin: Origin, data: string): WireEvent {
  try {
    const event = JSON.parse(data);
    if (typeof event === 'object' && event !== null) return event;
  } catch {
    // told below, like JSON that is no object
  }
  throw unreadableReply(origin, data);
}

function describeFault(event: WireEvent): { status: number | undefined; text: string } {
  const fault: WireFault = isObject(event.error)
    ? event.error
    : { message: event.error ?? event.message, code: event.code };
  const status = Number(fault.code ?? fault.status);
  return { status: Number.isInteger(status) ? status : undefined, text: JSON.stringify(fault) };
}

function joinParts(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Some providers leave reasoning out of the completion but not out of the total: what is not prompt is completion. */
function readUsage(usage: JsonObject): TokenUsage | undefined {
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  const total = count(usage.total_tokens) ?? 0;
  return tokenUsage(prompt ?? 0, Math.max(completion ?? 0, total - (prompt ?? 0)));
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function mapReason(reason: string, hasCalls: boolean): ModelFinish {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  return hasCalls ? 'tool-calls' : 'stop';
}
