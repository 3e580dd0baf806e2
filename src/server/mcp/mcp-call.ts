import type {
  AuthInfo,
  InputRequiredResult,
  ServerContext,
  CallToolResult as ToolResult,
} from '@modelcontextprotocol/server';
import type { AppError } from '../../errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { ERROR_META } from '../../schema/fronts/mcp.ts';
import type { User } from '../../schema/user.ts';
import type { TakeTurn } from '../rate-limit.ts';

export type Sdk = typeof import('@modelcontextprotocol/server');

/** A result, or a question that the client puts to its user before it sends the call again. */
export type CallOutcome = ToolResult | InputRequiredResult;

export interface FaceOptions {
  runtime: Runtime;
  user: User;
  /** Counts a turn against the user's rate limit. */
  takeTurn: TakeTurn;
  /** Notes a turn for the request log. */
  onTurn?(turn: ChatTurn): void;
  /** Undefined unless the client reads too slowly; then a promise that resolves when it has caught up or is gone. */
  ready?(): Promise<void> | undefined;
  /** Receives faults of our own; the client only learns that the call failed. */
  onError?(error: unknown): void;
}

/** The SDK passes on whatever describes the caller; nothing of it comes from the request's body. */
export function authOf(options: FaceOptions): AuthInfo {
  return { token: '', clientId: options.user.id, scopes: [], extra: { options } };
}

/** The options of a request over HTTP; every one of these has them. */
export function optionsIn(auth: AuthInfo | undefined): FaceOptions {
  return auth?.extra?.options as FaceOptions; // set by `authOf`
}

/** A `tools/call` of a client. */
export interface McpCall extends FaceOptions {
  sdk: Sdk;
  signal: AbortSignal;
  progress: Progress;
  /** Whether the client can put a question to its user. */
  canAsk: boolean;
  /** The client's answers to the questions of an earlier round, by question. */
  responses: ServerContext['mcpReq']['inputResponses'];
  /** The same call sent again with this key is the same turn. */
  key?: string;
  /** Sent with the questions, and returned by the client with the answers. It is input like any other. */
  state: unknown;
}

/** A failure as the result of a call, which the client's model can read. */
export function toFailure({ code, message }: Pick<AppError, 'code' | 'message'>): ToolResult {
  return failedResult({ code, message });
}

export function failedResult(error: { message: string; [field: string]: unknown }): ToolResult {
  return { isError: true, content: [{ type: 'text', text: error.message }], _meta: { [ERROR_META]: error } };
}

/** Reports the progress of a call to the client. */
export interface Progress {
  text(delta: string): void;
  step(name: string): void;
  /** Resolves when everything is sent: a report must not follow the result. */
  sent(): Promise<void>;
}

/** Joins texts that arrive while a report is being sent. Without a token the client wants no reports. */
export function createProgress({ _meta, notify }: ServerContext['mcpReq']): Progress {
  const progressToken = _meta?.progressToken;
  const waiting: { message: string; isText: boolean }[] = [];
  let progress = 0;
  let sending: Promise<void> | undefined;

  const flush = async () => {
    for (let next = waiting.shift(); next && progressToken !== undefined; next = waiting.shift()) {
      progress++;
      const params = { progressToken, progress, message: next.message };
      await notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    sending = undefined;
  };
  const add = (message: string, isText: boolean) => {
    const last = waiting.at(-1);
    if (last?.isText && isText) last.message += message;
    else waiting.push({ message, isText });
    sending ??= flush();
  };
  return {
    text: (delta) => add(delta, true),
    step: (name) => add(`[${name}]`, false),
    async sent() {
      await sending;
    },
  };
}
