import * as z from 'zod';
import { conversationNotFound } from '../../runtime/continue-turn.ts';
import { type Conversation, conversationState } from '../../schema/conversation.ts';
import { CallAnswer } from '../../schema/event.ts';
import { type HistoryMessage, type TurnMessage, toHistoryMessage } from '../../schema/history.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { StoredResult, StoredTurn } from '../../store/store.ts';
import type { ServerDeps } from '../deps.ts';
import { SSE } from '../encode.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpRequest } from '../http/request.ts';
import { takeStream } from '../open-stream.ts';
import { parseRequest } from '../parse.ts';
import { acceptsByName, readKey, readTrace, wantsToGoOn } from '../request-headers.ts';
import { toRestCall, toRestMessage } from '../rest-out.ts';
import { sendTurn, wantsEvents } from '../send-turn.ts';

export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  before: ConversationId.optional(),
  agent: z.string().max(64).optional(),
});
export const HistoryQuery = z.strictObject({ last: z.coerce.number().int().min(1).max(1000).default(200) });
export const TurnsQuery = ListQuery.omit({ agent: true });
export const Answers = z.array(CallAnswer).min(1).max(100);

interface SessionRoute {
  id: string;
}

export function addSessionRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get('/sessions', async (request) => {
    const { limit, before, agent } = parseRequest(ListQuery, request.query);
    const page = { limit: limit + 1, ...(before && { before }), ...(agent && { agent }) };
    const found = await runtime.listConversations(request.user, page);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { sessions: shown.map((one) => toSession(one, deps)), ...(last && { next_before: last.id }) };
  });

  app.get<SessionRoute>('/sessions/:id', async (request) => {
    const id = sessionId(request);
    const { last } = parseRequest(HistoryQuery, request.query);
    const conversation = await runtime.readConversation(request.user, id);
    if (!conversation) throw conversationNotFound();
    const [history, turn] = await Promise.all([
      runtime.readHistory(request.user, id, { last }),
      runtime.readNewestTurn(request.user, id),
      runtime.touchConversation(request.user, id),
    ]);
    const newest = turn && { turn: { id: turn.id, status: turn.status } };
    return { ...toSession(conversation, deps), ...newest, messages: history.map(toShown) };
  });

  app.get<SessionRoute>('/sessions/:id/turns', async (request) => {
    const id = sessionId(request);
    const { limit, before } = parseRequest(TurnsQuery, request.query);
    if (!(await runtime.readConversation(request.user, id))) throw conversationNotFound();
    const found = await runtime.listTurns(request.user, id, { limit: limit + 1, ...(before && { before }) });
    const shown = found.slice(0, limit);
    const turns = await Promise.all(
      shown.map(async (turn) => toTurn(turn, await runtime.readResult(request.user, turn.id))),
    );
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { turns, ...(last && { next_before: last.id }) };
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

  addResumeRoute(app, deps);
}

function addResumeRoute(app: HttpApp, deps: ServerDeps): void {
  app.post<SessionRoute>('/sessions/:id/resume', async (request, reply) => {
    const answers = parseRequest(Answers, request.takeBody());
    const conversationId = sessionId(request);
    const streams = acceptsByName(request, SSE);
    if (wantsEvents(request, streams)) takeStream(reply, deps);
    deps.takeTurn(request.user);
    const idempotencyKey = readKey(request);
    const keepsGoing = wantsToGoOn(request) || idempotencyKey !== undefined;
    const input = {
      conversationId,
      answers,
      keepsGoing,
      ...(idempotencyKey && { idempotencyKey }),
      ...readTrace(request),
    };
    const turn = await deps.runtime.answer(request.user, input);
    return sendTurn(reply, deps, { turn, streams });
  });
}

export function sessionId(request: HttpRequest<SessionRoute>): string {
  const id = parseRequest(ConversationId, request.params.id, ['session_id']);
  request.facts.session_id = id;
  return id;
}

function toShown(entry: TurnMessage): HistoryMessage {
  return toHistoryMessage({ ...entry, message: toRestMessage(entry.message) });
}

function toTurn(turn: StoredTurn, result: StoredResult | undefined) {
  const { id, status, attempt, created_at, is_active: active, parent, replaces } = turn;
  return {
    id,
    status,
    attempt,
    created_at,
    active,
    ...(parent && { parent }),
    ...(replaces && { replaces }),
    ...(result && { result: { ...result, tool_calls: result.tool_calls.map(toRestCall) } }),
  };
}

function toSession(conversation: Conversation, { runtime, server, clock }: ServerDeps) {
  const { id, metadata, ...rest } = conversation;
  const agent = runtime.agents.find(({ name }) => name === conversation.agent);
  const { session_ttl_seconds } = agent?.server ?? server;
  const state = conversationState(conversation, session_ttl_seconds, clock.date().getTime());
  return { session_id: id, title: String(metadata.title ?? ''), state, ...rest, metadata };
}
