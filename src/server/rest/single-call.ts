import { createHash } from 'node:crypto';
import { systemIds } from '../../ids.ts';
import type { ChatInput } from '../../runtime/turn/chat.ts';
import { RunRequest } from '../../schema/conversation/chat.ts';
import { CALL_THREAD } from '../../schema/conversation/conversation.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { SSE } from '../http/encode.ts';
import { acceptsByName, parseRequest, readKey, readTrace, withoutNulls } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { denyWaits } from '../stream/deny-waits.ts';
import { takeStream } from '../stream/open-stream.ts';
import { sendWhole } from '../stream/send-turn.ts';
import { decodeFiles } from './attachments.ts';

interface AgentRoute {
  name: string;
}

const KEY_PREFIX = 'run:';
const OTHERWISE = 'the caller sends the message to a conversation (/agent/{name}/chat)';

/** A single call: the caller keeps the history. Its turn is journaled in a conversation that nobody sees. */
export function addSingleCall(app: HttpApp, deps: ServerDeps): void {
  app.post<AgentRoute>('/agent/:name/run', (request, reply) => answerCall(deps, request, reply));
}

async function answerCall(deps: ServerDeps, request: HttpRequest<AgentRoute>, reply: HttpReply): Promise<unknown> {
  const { runtime } = deps;
  const { user } = request;
  const input = toInput(request);
  const streams = acceptsByName(request, SSE);
  if (deps.debug) request.facts.message = input.message;
  if (streams) takeStream(reply, deps);
  deps.takeTurn(user);
  const turn = await runtime.chat(user, input);
  return sendWhole(reply, deps, { turn: denyWaits(runtime, user, { turn, otherwise: OTHERWISE }), streams });
}

function toInput(request: HttpRequest<AgentRoute>): ChatInput {
  const {
    message,
    history = [],
    files = [],
    response_format: responseFormat,
  } = parseRequest(RunRequest, withoutNulls(request.takeBody()));
  const idempotencyKey = readKey(request, KEY_PREFIX);
  return {
    agent: request.params.name,
    message,
    history,
    // The thread contains the history, so that a key with another history does not match.
    threadId: `${CALL_THREAD}${idempotencyKey ? digest([idempotencyKey, history]) : systemIds.ulid()}`,
    ...(idempotencyKey && { idempotencyKey }),
    ...(responseFormat && { responseFormat }),
    ...readTrace(request),
    ...(files.length > 0 && { files: decodeFiles(files) }),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);
}
