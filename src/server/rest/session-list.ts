import type { ConversationChange } from '../../runtime/live/conversation-watch.ts';
import { conversationNotFound } from '../../runtime/turn/turn-errors.ts';
import { ListQuery, SessionChanges, SessionEventsQuery } from '../../schema/requests.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { sseEncoding } from '../http/encode.ts';
import { parseRequest } from '../http/parse.ts';
import { openStream, takeStream } from '../stream/open-stream.ts';
import { sessionId, toSession } from './sessions.ts';

/** The list of own conversations. Added before the routes of one session: `events` is no session's id. */
export function addSessionListRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get('/sessions', async (request) => {
    const { limit, before, agent, q } = parseRequest(ListQuery, request.query);
    const page = { limit: limit + 1, ...(before && { before }), ...(agent && { agent }) };
    const found = q
      ? await runtime.searchConversations(request.user, { ...page, q })
      : await runtime.listConversations(request.user, page);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return { sessions: shown.map((one) => toSession(one, deps)), ...(last && { next_before: last.id }) };
  });

  app.patch<{ id: string }>('/sessions/:id', async (request) => {
    const id = sessionId(request);
    const { title, pinned, metadata } = parseRequest(SessionChanges, request.takeBody());
    const changes = {
      ...(title !== undefined && { title }),
      ...(pinned !== undefined && { pinned }),
      ...(metadata && { metadata }),
    };
    const changed = await runtime.updateConversation(request.user, id, changes);
    if (!changed) throw conversationNotFound();
    return toSession(changed, deps);
  });

  addSessionEvents(app, deps);
}

function addSessionEvents(app: HttpApp, deps: ServerDeps): void {
  app.get('/sessions/events', async (request, reply) => {
    const { follow } = parseRequest(SessionEventsQuery, request.query);
    const stays = follow === '1' && request.method === 'GET';
    if (!stays) return reply.type(sseEncoding.contentType).send('');
    takeStream(reply, deps);
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, deps.stopping]);
    const changes = await deps.runtime.watchConversations(request.user, signal);
    const output = openStream(reply, deps, sseEncoding);
    output.onClose(() => left.abort());
    for await (const change of changes) {
      output.write(`event: session\ndata: ${JSON.stringify(toFrame(change, deps))}\n\n`);
      await output.ready();
    }
    output.end();
  });
}

function toFrame(change: ConversationChange, deps: ServerDeps) {
  if (change.type === 'deleted') return { type: change.type, session: { session_id: change.id } };
  return { type: change.type, session: toSession(change.conversation, deps) };
}
