import { ExportQuery, ForkRequest } from '../../schema/requests.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import { sessionId, toSession } from './sessions.ts';

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
      .header('location', `/sessions/${made.id}`)
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
