import * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { ListedTurn } from '../../runtime/turn/describe-turns.ts';
import { conversationNotFound } from '../../runtime/turn/turn-errors.ts';
import { Feedback } from '../../schema/conversation/turn.ts';
import { ConversationId } from '../../schema/ids.ts';
import { TurnsQuery } from '../../schema/requests.ts';
import type { StoredResult } from '../../store/store.ts';
import { runIdOfKey } from '../agui/agui-in.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import { isDeveloper } from '../identity.ts';
import { toRestCall } from './rest-out.ts';
import { sessionId } from './sessions.ts';

const MessageId = z.string().min(1).max(128);

export function addTurnRoutes(app: HttpApp, { runtime, server }: ServerDeps): void {
  app.get<{ id: string }>('/sessions/:id/turns', async (request) => {
    const id = sessionId(request);
    const { before, last, ...query } = parseRequest(TurnsQuery, request.query);
    const limit = last ?? query.limit;
    if (!(await runtime.readConversation(request.user, id))) throw conversationNotFound();
    const found = await runtime.describeTurns(request.user, id, { limit: limit + 1, ...(before && { before }) });
    const shown = found.slice(0, limit);
    const oldest = found.length > limit ? shown.at(-1) : undefined;
    const withCause = isDeveloper(server, request.user);
    return { turns: shown.map((turn) => toTurn(turn, withCause)), ...(oldest && { next_before: oldest.id }) };
  });

  app.get<{ id: string; turn: string }>('/sessions/:id/turns/:turn/trace', async (request) => {
    const conversationId = sessionId(request);
    const turnId = parseRequest(ConversationId, request.params.turn, ['turn']);
    const withPrompts = isDeveloper(server, request.user);
    return runtime.readTrace(request.user, { conversationId, turnId, withPrompts });
  });

  app.put<{ id: string; message: string }>('/sessions/:id/messages/:message/feedback', async (request) => {
    const id = sessionId(request);
    const messageId = parseRequest(MessageId, request.params.message, ['message']);
    const feedback = parseRequest(Feedback, request.takeBody());
    if (!(await runtime.readConversation(request.user, id))) throw conversationNotFound();
    if (await runtime.setFeedback(request.user, id, { ...feedback, messageId })) return feedback;
    throw new AppError('not_found', { detail: 'This conversation has no answer of this id.' });
  });
}

function toTurn({ message, answer, result, calls, partial, feedback, cause, ...turn }: ListedTurn, withCause: boolean) {
  const { id, status, attempt, created_at, ended_at, is_active: active, parent, replaces } = turn;
  const runId = runIdOfKey(turn.idempotency_key);
  const kept = result ?? (attempt === 0 && answer ? seededResult(answer.content) : undefined);
  return {
    id,
    status,
    attempt,
    created_at,
    started_at: created_at,
    active,
    ...(ended_at && { ended_at }),
    ...(parent && { parent }),
    ...(replaces && { replaces }),
    ...(runId !== undefined && { run_id: runId }),
    ...(message && { user_message: toUserMessage(message) }),
    ...(partial !== undefined && { partial }),
    ...(calls && { calls: calls.map(toRestCall) }),
    ...(kept && {
      result: { ...kept, tool_calls: kept.tool_calls.map(toRestCall), ...(answer && { message_id: answer.id }) },
    }),
    ...(feedback && { feedback }),
    ...(withCause && cause !== undefined && { cause }),
  };
}

function toUserMessage({ id, client_id, content, metadata }: NonNullable<ListedTurn['message']>) {
  return { id, ...(client_id && { client_id }), content, ...(metadata.files && { files: metadata.files }) };
}

/** Messages from before the first run have no result of their own: the text of their answer is all there is. */
function seededResult(content: string): StoredResult {
  return {
    status: 'completed',
    finish_reason: 'completed',
    content,
    iterations: 0,
    tool_calls: [],
    sources: [],
    suggestions: [],
    partial_results: false,
    execution_time_ms: 0,
  };
}
