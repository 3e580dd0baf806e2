import { systemIds } from '../../ids.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { UiRequest } from '../../schema/fronts/ui.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { readKey, readTrace, wantsToGoOn } from '../http/request-headers.ts';
import { findAgent } from '../routes/agents.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { answersOf, earlierMessages, newMessage } from './ui-in.ts';
import { createUiTranslator, UI_HEADERS, uiEncoding } from './ui-out.ts';

const KEY_PREFIX = 'ui:';

/** The AI SDK's UI message stream, for `useChat`. */
export function addUiRoutes(app: HttpApp, deps: ServerDeps): void {
  app.post<{ name: string }>('/agent/:name/ui', async (request, reply) => {
    takeStream(reply, deps);
    const turn = await beginTurn(deps, request, findAgent(deps.runtime, request.params.name));
    await sendUiTurn(reply, deps, turn);
  });

  app.get<{ name: string; id: string }>('/agent/:name/ui/:id/stream', async (request, reply) => {
    takeStream(reply, deps);
    const turn = await findRunning(deps, request);
    if (turn && request.method === 'GET') return sendUiTurn(reply, deps, turn);
    await turn?.events.return?.();
    return reply.code(turn ? 200 : 204).send();
  });
}

function sendUiTurn(reply: HttpReply, deps: ServerDeps, turn: ChatTurn): Promise<void> {
  const { turnId, conversationId } = turn;
  const translator = createUiTranslator({ turnId, conversationId, withReasoning: deps.server.agui_reasoning });
  reply.headers(UI_HEADERS);
  return streamTurn(reply, deps, { turn, translator, encoding: uiEncoding });
}

/** The chat's newest turn from its first event, if it runs now. */
async function findRunning(
  { runtime, stopping: signal }: ServerDeps,
  { user, params }: HttpRequest<{ name: string; id: string }>,
): Promise<ChatTurn | undefined> {
  const { name } = findAgent(runtime, params.name);
  const own = await runtime.readConversation(user, params.id);
  const chat = own?.agent === name ? own : await runtime.readThread(user, name, params.id);
  if (!chat || (await runtime.readNewestTurn(user, chat.id))?.status !== 'running') return undefined;
  return (await runtime.follow(user, { conversationId: chat.id, signal }).next()).value ?? undefined;
}

/** A message that the chat already has is answered again; nothing that it has done is done twice. */
async function beginTurn(deps: ServerDeps, request: HttpRequest, agent: Agent): Promise<ChatTurn> {
  const input = parseRequest(UiRequest, request.takeBody());
  const message = newMessage(input);
  if (deps.debug && message) request.facts.message = message.message;
  deps.takeTurn(request.user);
  return deps.runtime.runThread(request.user, {
    agent: agent.name,
    threadId: input.id,
    // The protocol has no id of a request.
    idempotencyKey: `${KEY_PREFIX}${systemIds.ulid()}`,
    ...(message && { message }),
    history: () => earlierMessages(input),
    answersTo: (events: readonly Event[]) => answersOf(input, events),
    keepsGoing: wantsToGoOn(request) || readKey(request) !== undefined,
    ...readTrace(request),
  });
}
