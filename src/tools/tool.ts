import type { Json, JsonObject } from '../schema/json.ts';
import type { ToolError } from '../schema/tool-call.ts';
import type { User } from '../schema/user.ts';

export interface ToolContext {
  user: User;
  conversationId: string;
  /** Travels with the call as its idempotency key. */
  callId: string;
  /** W3C Trace Context of the call, for tools that are reached over HTTP. */
  traceparent?: string;
  signal: AbortSignal;
  /** Time until the call's deadline; absent = it has none. */
  remainingMs?(): number;
  progress(text: string): void;
  /** Asks the human a question through the front end; rejects where nobody can answer. */
  ask(question: { text: string; schema?: JsonObject }): Promise<Json>;
}

/**
 * What a tool hands back: an expected failure is data, not an exception. `unknown` marks a failure in the middle, such
 * as a server that died: the effect may have happened.
 */
export type ToolOutcome = { result: Json } | { error: ToolError; unknown?: boolean };

/** Something that a model can call. Wherever it comes from (a function, an MCP server, ourselves) it looks like this. */
export interface Tool {
  name: string;
  /** The server's own name of it, where the `tools` entry has a prefix. */
  serverName?: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: JsonObject;
  /** JSON Schema of the result, for clients that tools of ours are served to. */
  outputSchema?: JsonObject;
  readOnly?: boolean;
  idempotent?: boolean;
  /** Asks the human first. */
  needsApproval?: boolean;
  /** The caller runs it: the turn waits for the result. */
  runsOnClient?: boolean;
  /** The `tools` entry of agent.yaml that it belongs to. */
  source: string;
  /** The data domain that it answers for. */
  domain?: string;
  /** Argument path → a value of ours; removed from what the model sees. */
  bind?: Readonly<Record<string, string>>;
  run(args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** How a source is doing, for `/tools` and for the model when it is not there. */
export interface SourceStatus {
  state: 'idle' | 'starting' | 'ready' | 'degraded' | 'unavailable';
  detail?: string;
  tools: { name: string; description: string }[];
}

export interface ListOptions {
  signal: AbortSignal;
  /** How long to wait for a server that starts for the first time; its own limit unless given. */
  waitMs?: number;
}

/** One `tools` entry of agent.yaml, opened: a folder of functions, an MCP server, or tools of ours. */
export interface ToolSource {
  /** The entry's name. */
  name: string;
  /** The tools that this user may be offered now; starts what must be started, and never throws for a server that is down. */
  tools(user: User, options: ListOptions): Promise<Tool[]>;
  /** Its tools are not known yet to this user, because it starts for the first time. */
  isStarting?(user: User): boolean;
  status(): SourceStatus;
  /** A person agrees to definitions that changed since they were accepted. */
  accept?(): Promise<void>;
  close(): Promise<void>;
}
