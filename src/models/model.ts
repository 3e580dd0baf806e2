import type { Message } from '../schema/conversation/message.ts';
import type { TokenUsage } from '../schema/conversation/token-usage.ts';
import type { Intent, RoutingDecision } from '../schema/domain.ts';
import type { JsonObject } from '../schema/json.ts';

/** A tool as a model sees it, without the arguments that we fill in. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** A picture that came with a message. */
export interface Picture {
  mediaType: string;
  data: Uint8Array;
}

/** Message id → the pictures that came with it. */
export type Pictures = ReadonlyMap<string, readonly Picture[]>;

export type ToolChoice = 'required' | { name: string };

export interface ModelRequest {
  /** Instructions, with the current time and the user at the end. */
  system: string;
  /** The end of `system` that changes from call to call; providers can cache the rest. */
  changing?: string;
  /** Always valid: begins with a user message, ends with a user message or results, and every call has its result. */
  messages: readonly Message[];
  /** Pictures of user messages. A model without vision ignores them: the texts in them are part of the messages. */
  pictures?: Pictures;
  /** Empty for the last summary: the model must answer in text. */
  tools: readonly ToolDefinition[];
  /** The tool that this reply must call; `required` = any of `tools`. */
  toolChoice?: ToolChoice;
  /** The JSON Schema that the answer must fit. */
  responseFormat?: JsonObject;
  /** The instant and zone that define "today", for models that do not read them from the prompt. */
  now: Date;
  /** Absent for the machine's own zone. */
  timezone?: string;
  /** The domains that the question needs, if they were decided before the model is asked. */
  routing?: RoutingDecision;
  /** W3C Trace Context, for models over HTTP. */
  traceparent?: string;
}

/** After tool results a model may have nothing to add: Claude then ends the turn with an empty message. */
export function endsWithResults({ messages }: ModelRequest): boolean {
  return messages.at(-1)?.role === 'tool';
}

export type ModelFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/**
 * Output of a model. Text arrives as it is generated, a tool call arrives whole (and before in pieces, if the provider sends them), and `finish` comes last, exactly once.
 */
export type ModelChunk =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** `arguments` is the model's text; it may not be valid JSON. */
  | { type: 'tool-call'; id: string; name: string; arguments: string }
  /**
   * A piece of the arguments of the reply's call number `index`, for viewers. The whole call still follows, and nothing
   * depends on pieces: a reply that is requested again begins anew.
   */
  | { type: 'call-part'; index: number; name: string; text: string }
  | { type: 'intent'; intents: Intent[] }
  | { type: 'notice'; text: string }
  /** `metadata` is copied into the assistant message; it holds state that the provider must get back. */
  | { type: 'finish'; reason: ModelFinish; usage?: TokenUsage; metadata?: JsonObject };

/** The id of a reply and the model that really answered, as reported by the provider. */
export interface ReplyOrigin {
  id?: string;
  model?: string;
}

export interface StreamOptions {
  signal: AbortSignal;
  /** Time until the caller's deadline. Retries and the fallback model must fit into it. */
  remainingMs?: number;
  /** Called with the origin of the reply, before `finish`. */
  onResponse?: ((response: ReplyOrigin) => void) | undefined;
}

/**
 * The interface of every model. `stream` throws an AppError with a `model_…` or `context_too_long` code, also when the
 * stream ends without `finish`. It stops at once when the signal aborts.
 */
export interface Model {
  /** For users, such as "openai_compatible gemini-2.5-flash". */
  readonly label: string;
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelChunk>;
}
