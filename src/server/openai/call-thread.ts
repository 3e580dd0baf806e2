import { createHash } from 'node:crypto';
import { systemIds } from '../../ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { CALL_THREAD, ThreadId } from '../../schema/conversation/conversation.ts';
import { parseRequest, readKey } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';

/** The conversation of a call, and the key under which it is one turn, however often it is sent. */
export interface CallThread {
  threadId: string;
  idempotencyKey: string;
  /** The message's own id: if its answer failed, the repeated call is answered anew, and no tool runs twice. */
  clientId?: string;
  /** The caller named the conversation, so people may be waiting there for its approvals. */
  isNamed: boolean;
  /** The turn continues when the caller leaves. */
  keepsGoing: boolean;
}

const KEY_PREFIX = 'openai:';
/** OpenAI's clients repeat a failed request without a key, and count how often. */
const RETRY_COUNT = 'x-stainless-retry-count';
const RETRY_MS = 10 * 60_000;

/** The conversation that the caller names in a header, or else in the body. */
export function namedThread(request: HttpRequest, inBody: string | undefined): string | undefined {
  const header = request.headers['x-session-id'];
  return header === undefined ? inBody : parseRequest(ThreadId, header, ['X-Session-Id']);
}

interface Call {
  agent: string;
  named: string | undefined;
  /** The conversation of an earlier call that this one follows. */
  follows: string | undefined;
  body: unknown;
  now: Date;
}

/** Decides to which conversation and turn a call belongs: a repeated call belongs to the turn of the first one. */
export async function threadOfCall(runtime: Runtime, request: HttpRequest, call: Call): Promise<CallThread> {
  const isNamed = call.named !== undefined;
  const place = call.named ?? call.follows;
  const sent = readKey(request, KEY_PREFIX);
  if (sent !== undefined)
    return { threadId: place ?? `${CALL_THREAD}${digest(sent)}`, idempotencyKey: sent, isNamed, keepsGoing: true };
  const ofBody = digest(JSON.stringify(call.body));
  const isRepeated = Number(request.headers[RETRY_COUNT] ?? 0) > 0;
  const first = isRepeated ? await findFirst(runtime, request, call, ofBody) : undefined;
  const { id, attempt } = first ?? { id: `${ofBody}:${systemIds.ulid()}`, attempt: 0 };
  return {
    threadId: place ?? `${CALL_THREAD}${id}`,
    idempotencyKey: `${KEY_PREFIX}${id}.${attempt}`,
    clientId: `${KEY_PREFIX}${id}`,
    isNamed,
    keepsGoing: false,
  };
}

/** A result is taken once, so a call that brings results needs no other key than its content. */
export function threadOfResults(request: HttpRequest, conversationId: string, body: unknown): CallThread {
  const idempotencyKey = readKey(request, KEY_PREFIX) ?? `${KEY_PREFIX}${digest(JSON.stringify(body))}`;
  return { threadId: conversationId, idempotencyKey, isNamed: false, keepsGoing: false };
}

const CALL_KEY = /^openai:(\w+:\w+)\.(\d+)$/;

/** The first call with this body, if it is recent, and how often it failed. */
async function findFirst(
  runtime: Runtime,
  { user }: HttpRequest,
  { agent, named, follows, now }: Call,
  ofBody: string,
): Promise<{ id: string; attempt: number } | undefined> {
  const place = named ?? follows;
  const thread =
    place === undefined
      ? await runtime.readNewestThread(user, agent, `${CALL_THREAD}${ofBody}:`)
      : ((await runtime.readConversation(user, place)) ?? (await runtime.readThread(user, agent, place)));
  const turn = thread && (await runtime.readNewestTurn(user, thread.id));
  const [, id, attempt] = CALL_KEY.exec(turn?.idempotency_key ?? '') ?? [];
  if (!turn || !id?.startsWith(`${ofBody}:`) || now.getTime() - Date.parse(turn.created_at) > RETRY_MS)
    return undefined;
  const hasFailed = turn.status === 'error' || turn.status === 'cancelled';
  return { id, attempt: Number(attempt) + (hasFailed ? 1 : 0) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
