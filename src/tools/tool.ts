import type { CallAnswer, EventBody } from '../schema/conversation/event.ts';
import type { ToolCall, ToolError } from '../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';

/** Details of a call that could not run because its tool is not set up: a missing file, server, network or login. */
export const NOT_SET_UP = { code: 'tool_unavailable' };

export function isSetUpFault(error: ToolError | undefined): boolean {
  const details = error?.details ?? null;
  return isObject(details) && details.code === NOT_SET_UP.code;
}

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
  /** Runs a turn of a member of the team for this call, or continues the one that it began. Absent outside a stored turn. */
  delegate?(to: DelegatedTask): Promise<ToolOutcome>;
  /** Asks the human a question through the front end. Rejects if no human can answer. */
  ask(question: { text: string; schema?: JsonObject }): Promise<Json>;
}

/**
 * The outcome of a tool. An expected failure is data, not an exception. `unknown` marks a failure in the middle, such
 * as a server that died: the effect may have happened.
 */
export type ToolOutcome =
  | { result: Json; about?: AboutCall }
  /** `stays`: a resumable call that has no outcome yet. It waits for somebody, or the process stops. */
  | { error: ToolError; unknown?: boolean; about?: AboutCall; stays?: 'waiting' | 'running' };

/** A task for a member of a team. */
interface DelegatedTask {
  /** The member's whole name. */
  agent: string;
  message: string;
  /** Runs the task elsewhere, in place of a turn here. */
  remote?(work: DelegatedCall): Promise<ToolOutcome>;
  /** Read with the message and stored with it nowhere. */
  material?: readonly { description: string; value: string }[];
  /** The JSON Schema of the member's answer, in place of its own. */
  responseFormat?: JsonObject;
}

/** A call that a member of a team works for. */
export interface DelegatedCall extends DelegatedTask {
  call: ToolCall;
  context: ToolContext;
  /** The answer to a call of the member, and the event that brought it. */
  answerTo(callId: string): { answer: CallAnswer; by: string } | undefined;
  /** Stores an event of the turn that delegates. */
  write(body: EventBody): Promise<void>;
}

/** Facts about a delegation, for its call, and the text that the member sends in place of a draft. */
type AboutCall = Pick<ToolCall, 'delegation' | 'read_only'> & { answer?: string };

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
  /**
   * Run again with the same call id, it continues and repeats nothing. When its signal aborts it ends by itself: by an
   * interruption it stays, by a cancel or a deadline it has an outcome. `begun`: so from its `delegation` event on.
   */
  resumable?: boolean | 'begun';
  /** It does not run: the agent of this name takes over the conversation. */
  handsOverTo?: string;
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
  /** Reads a definition that is otherwise read when it is used. */
  look?(user: User, signal: AbortSignal): Promise<void>;
  /** Accepts changed definitions on behalf of a person. */
  accept?(): Promise<void>;
  close(): Promise<void>;
}

/** Names something that a kind can do beside its tools. The file of the kind exports it with its type. */
export interface Capability<T> {
  name: string;
  /** Never set: it carries the type. */
  of?: T;
}

/** An opened source, with what it can do beside its tools. */
export interface OpenedSource {
  source: ToolSource;
  capabilities?: ReadonlyMap<Capability<unknown>, unknown>;
}
