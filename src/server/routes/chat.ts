import { discardFiles } from '../../runtime/attached-file.ts';
import type { ChatInput } from '../../runtime/chat.ts';
import type { ChatTurn } from '../../runtime/continue-turn.ts';
import { ChatRequest, type ChatResponse } from '../../schema/chat.ts';
import type { Event } from '../../schema/event.ts';
import { decodeFiles } from '../attachments.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { Form } from '../multipart.ts';
import { streamTurn } from '../open-stream.ts';
import { parseRequest } from '../parse.ts';
import { readKey, wantsToGoOn } from '../request-headers.ts';
import { createRestTranslator, toChatResponse } from '../rest-out.ts';
import { turnInterrupted } from '../tell-turn.ts';

interface AgentRoute {
  name: string;
}

export function addChatRoutes(app: HttpApp, deps: ServerDeps): void {
  app.post<AgentRoute>('/agent/:name/chat', async (request, reply) => {
    return answerTurn(await beginTurn(request, deps), reply);
  });
  app.post<AgentRoute>('/agent/:name/chat/stream', async (request, reply) => {
    const turn = await beginTurn(request, deps);
    await streamTurn(reply, deps, { turn, translator: createRestTranslator(turn.conversationId) });
  });
}

async function beginTurn(request: HttpRequest<AgentRoute>, deps: ServerDeps): Promise<ChatTurn> {
  const body = request.takeBody();
  try {
    const input = toInput(request, body);
    if (deps.debug) request.facts.message = input.message;
    deps.takeTurn(request.user);
    return await deps.runtime.chat(request.user, input);
  } catch (error) {
    if (body instanceof Form) await discardFiles(body.files);
    throw error;
  }
}

function toInput(request: HttpRequest<AgentRoute>, body: unknown): ChatInput {
  const isForm = body instanceof Form;
  const { message, session_id, files: inline = [] } = parseRequest(ChatRequest, isForm ? body.fields : body);
  const files = isForm ? body.files : decodeFiles(inline);
  const idempotencyKey = readKey(request);
  const keepsGoing = wantsToGoOn(request);
  return {
    agent: request.params.name,
    message,
    ...(session_id && { conversationId: session_id }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(keepsGoing && { keepsGoing }),
    ...(files.length > 0 && { files }),
  };
}

/** The whole turn as one answer; nothing when the client has left before its end. */
export async function answerTurn(turn: ChatTurn, reply: HttpReply): Promise<ChatResponse | undefined> {
  const { facts } = reply.request;
  facts.session_id = turn.conversationId;
  facts.turn_id = turn.turnId;
  const last = await readLast(turn, reply);
  if (last?.type === 'turn-end' || last?.type === 'turn-wait') return toChatResponse(last.result, turn.conversationId);
  if (reply.raw.destroyed) return undefined;
  throw turnInterrupted();
}

async function readLast({ events, pausesAt }: ChatTurn, reply: HttpReply): Promise<Event | undefined> {
  const leave = () => void events.return?.();
  // A client may have left while the turn was begun.
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  let last: Event | undefined;
  for await (const event of events) {
    last = event;
    if (pausesAt?.(event)) break;
  }
  return last;
}
