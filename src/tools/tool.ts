import type { ToolError } from '../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';

export interface ToolContext {
  user: User;
  /** Empty outside a conversation. */
  conversationId: string;
  /** Absent outside a turn. */
  turnId?: string;
  /** Sent with the call as its idempotency key. */
  callId: string;
  /** W3C Trace Context of the call, for tools over HTTP. */
  traceparent?: string;
  signal: AbortSignal;
  /** Time until the call's deadline; absent if it has none. */
  remainingMs?(): number;
  progress(text: string): void;
  /** Asks the human a question through the front end. Rejects if no human can answer. */
  ask(question: { text: string; schema?: JsonObject }): Promise<Json>;
}

/**
 * The outcome of a tool. An expected failure is data, not an exception. `unknown` marks a failure in the middle, such
 * as a server that died: the effect may have happened.
 */
export type ToolOutcome = { result: Json } | { error: ToolError; unknown?: boolean };

/** A tool that a model can call. Functions, MCP servers and our own tools all share this interface. */
export interface Tool {
  name: string;
  /** The server's own name of the tool, if the `tools` entry has a prefix. */
  serverName?: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: JsonObject;
  /** JSON Schema of the result, for clients that our tools are served to. */
  outputSchema?: JsonObject;
  readOnly?: boolean;
  idempotent?: boolean;
  /** Asks the human before it runs. */
  needsApproval?: boolean;
  /** The client runs it; the turn waits for the result. */
  runsOnClient?: boolean;
  /** A program passes it; it is no entry of agent.yaml. */
  isCode?: boolean;
  /** The `tools` entry of agent.yaml that it belongs to. */
  source: string;
  /** Searches documents of the agent, by any words. */
  searchesDocuments?: boolean;
  /** The data domain that it answers for. */
  domain?: string;
  /** Maps an argument path to a value that we fill in. The model does not see these arguments. */
  bind?: Readonly<Record<string, string>>;
  run(args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** State of a source, for `/tools`, and for the model when the source is missing. */
export interface SourceStatus {
  state: 'idle' | 'starting' | 'ready' | 'degraded' | 'unavailable';
  detail?: string;
  tools: { name: string; description: string }[];
}

export interface ListOptions {
  signal: AbortSignal;
  /** How long to wait for a server that starts for the first time; by default the server's own limit. */
  waitMs?: number;
}

/** An opened `tools` entry of agent.yaml: a folder of functions, an MCP server, or our own tools. */
export interface ToolSource {
  /** The entry's name. */
  name: string;
  /** The tools that this user may be offered now. Starts servers as needed; never throws if a server is down. */
  tools(user: User, options: ListOptions): Promise<Tool[]>;
  /** True while it starts for the first time and this user's tools are not known yet. */
  isStarting?(user: User): boolean;
  /** A sentence on the step that this user has to take before the source can be used; known after `tools`. */
  findObstacle?(user: User): string | undefined;
  status(): SourceStatus;
  /** Accepts changed definitions on behalf of a person. */
  accept?(): Promise<void>;
  close(): Promise<void>;
}
