import type { RoutingDecision } from '../schema/domain.ts';
import type { Intent } from '../schema/intent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { TokenUsage } from '../schema/token-usage.ts';

/** A tool as a model sees it: without the arguments that we fill in. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

export interface ModelRequest {
  /** Instructions, with the current time and the user at the end. */
  system: string;
  /** Always valid: begins with a user message, every call has its result. Ends with the user's message or results. */
  messages: readonly Message[];
  /** Empty for the last summary: the model must answer in words. */
  tools: readonly ToolDefinition[];
  /** The instant and zone that "today" means, for models that do not read them from the prompt. */
  now: Date;
  /** Absent = the machine's own. */
  timezone?: string;
  /** Which domains the question needs, where that was decided before the model is asked. */
  routing?: RoutingDecision;
  /** W3C Trace Context, for models that are reached over HTTP. */
  traceparent?: string;
}

/** The model may then have nothing to add: Claude ends such a turn with an empty message. */
export function endsWithResults({ messages }: ModelRequest): boolean {
  return messages.at(-1)?.role === 'tool';
}

export type ModelFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/** What a model sends. Text arrives as it is made; a tool call arrives whole; `finish` comes last, exactly once. */
export type ModelChunk =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** `arguments` is the text that the model wrote; it may not be JSON. */
  | { type: 'tool-call'; id: string; name: string; arguments: string }
  | { type: 'intent'; intents: Intent[] }
  | { type: 'notice'; text: string }
  /** `metadata` goes into the assistant message's metadata as it is: what the provider wants to see again. */
  | { type: 'finish'; reason: ModelFinish; usage?: TokenUsage; metadata?: JsonObject };

/** The id of a reply and the model that really answered, as the provider gives them. */
export interface ReplyOrigin {
  id?: string;
  model?: string;
}

export interface StreamOptions {
  signal: AbortSignal;
  /** Time until the caller's own deadline; retries and the fallback model fit inside it. */
  remainingMs?: number;
  /** Called at every sign of life on the wire, also where no chunk comes of it. */
  onActivity?: () => void;
  /** Called with the origin of the reply, before `finish`. */
  onResponse?: ((response: ReplyOrigin) => void) | undefined;
}

/**
 * One model behind one interface. `stream` throws an AppError with a `model_…` or `context_too_long` code,
 * also when the stream ends without `finish`; it stops at once when the signal aborts.
 */
export interface Model {
  /** For people, such as "openai_compatible gemini-2.5-flash". */
  readonly label: string;
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelChunk>;
}
