import { conversationNotFound } from '../../runtime/turn/turn-errors.ts';
import { type ConversationState, titleOf } from '../../schema/conversation/conversation.ts';
import { type HistoryMessage, type TurnMessage, toHistoryMessage } from '../../schema/conversation/history.ts';
import { ConversationId } from '../../schema/ids.ts';
import { Answers, ExportQuery, ForkRequest, HistoryQuery, NoBody } from '../../schema/requests.ts';
import type { FoundConversation } from '../../store/store.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { SSE } from '../http/encode.ts';
import { acceptsByName, parseRequest, readKey, readTrace, wantsToGoOn } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { takeStream } from '../stream/open-stream.ts';
import { sendTurn, wantsEvents } from '../stream/send-turn.ts';
import { toRestMessage } from './rest-out.ts';

interface SessionRoute {
  id: string;
}

export function addSessionRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get<SessionRoute>('/sessions/:id', async (request) => {
    const id = sessionId(request);
    const { last } = parseRequest(HistoryQuery, request.query);
    const conversation = await runtime.describeConversation(request.user, id);
    if (!conversation) throw conversationNotFound();
    const [history, turn] = await Promise.all([
      runtime.readHistory(request.user, id, { last }),
      runtime.readNewestTurn(request.user, id),
      runtime.touchConversation(request.user, id),
    ]);
    const newest = turn && { turn: { id: turn.id, status: turn.status } };
    return { ...toSession(conversation, deps), ...newest, messages: history.map(toShown) };
  });

  app.delete<SessionRoute>('/sessions/:id', async (request, reply) => {
    await runtime.deleteConversation(request.user, sessionId(request));
    return reply.code(204).send();
  });

  app.post<SessionRoute>('/sessions/:id/cancel', async (request) => {
    const id = sessionId(request);
    if (!(await runtime.readConversation(request.user, id))) throw conversationNotFound();
    const cancelled = await runtime.cancel(request.user, id);
    const turn = await runtime.readNewestTurn(request.user, id);
    return { session_id: id, cancelled, ...(turn && { turn: { id: turn.id, status: turn.status } }) };
  });

  addAttemptRoutes(app, deps);
}

function addAttemptRoutes(app: HttpApp, deps: ServerDeps): void {
  app.post<SessionRoute>('/sessions/:id/resume', async (request, reply) => {
    const answers = parseRequest(Answers, request.takeBody());
    const { streams, ...input } = admitAttempt(request, reply, deps);
    const turn = await deps.runtime.answer(request.user, { ...input, answers });
    return sendTurn(reply, deps, { turn, streams });
  });

  app.post<SessionRoute>('/sessions/:id/continue', async (request, reply) => {
    parseRequest(NoBody, request.takeBody());
    const { streams, ...input } = admitAttempt(request, reply, deps);
    const turn = await deps.runtime.continueInterrupted(request.user, input);
    return sendTurn(reply, deps, { turn, streams });
  });
}

/** Takes a place for another attempt at a turn, and reads how it is to be made. */
function admitAttempt(request: HttpRequest<SessionRoute>, reply: HttpReply, deps: ServerDeps) {
  const conversationId = sessionId(request);
  const streams = acceptsByName(request, SSE);
  if (wantsEvents(request, streams)) takeStream(reply, deps);
  deps.takeTurn(request.user);
  const idempotencyKey = readKey(request);
  const keepsGoing = wantsToGoOn(request) || idempotencyKey !== undefined;
  return { conversationId, streams, keepsGoing, ...(idempotencyKey && { idempotencyKey }), ...readTrace(request) };
}

export function sessionId(request: HttpRequest<SessionRoute>): string {
  const id = parseRequest(ConversationId, request.params.id, ['session_id']);
  request.facts.session_id = id;
  return id;
}

function toShown(entry: TurnMessage): HistoryMessage {
  return toHistoryMessage({ ...entry, message: toRestMessage(entry.message) });
}

/** A conversation as the API shows it; `preview` is there for a hit of a search. */
export function toSession(found: FoundConversation, { runtime, server, clock }: ServerDeps) {
  const { id, title: _own, pinned = false, metadata, ...rest } = found;
  const agent = runtime.agents.find(({ name }) => name === found.agent);
  const { session_ttl_seconds } = agent?.server ?? server;
  const idleMs = clock.date().getTime() - Date.parse(found.last_activity);
  // It can always be resumed.
  const state: ConversationState = idleMs > session_ttl_seconds * 1000 ? 'idle' : 'active';
  return { session_id: id, title: titleOf(found), pinned, state, ...rest, metadata };
}

/** Copies of a conversation: as another conversation, or as a file. */
export function addCopyRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.post<{ id: string }>('/sessions/:id/fork', async (request, reply) => {
    const { after } = parseRequest(ForkRequest, request.takeBody());
    const conversationId = sessionId(request);
    deps.takeTurn(request.user);
    const made = await runtime.forkConversation(request.user, { conversationId, after });
    return reply
      .code(201)
      .header('location', `${request.base}/sessions/${made.id}`)
      .send(toSession({ ...made, status: 'completed' }, deps));
  });

  app.get<{ id: string }>('/sessions/:id/export', async (request, reply) => {
    const conversationId = sessionId(request);
    const { format } = parseRequest(ExportQuery, request.query);
    const { filename, mediaType, text } = await runtime.exportConversation(request.user, { conversationId, format });
    reply.type(mediaType).header('content-disposition', `attachment; filename="${filename}"`);
    return reply.send(text);
  });
}
