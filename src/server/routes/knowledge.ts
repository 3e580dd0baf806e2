import { KnowledgeSearch, PassageQuery } from '../../schema/requests.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import { findAgent } from './agents.ts';

const TIMEOUT_MS = 20_000;

/** The documents of an agent, for a panel beside the chat. A document that the user may not see does not exist for them. */
export function addKnowledgeRoutes(app: HttpApp, { runtime, takeTurn }: ServerDeps): void {
  app.get<{ name: string }>('/agent/:name/knowledge', async ({ params, user }) =>
    runtime.listKnowledge(user, findAgent(runtime, params.name).name),
  );

  app.get<{ name: string; document: string }>('/agent/:name/knowledge/:document', async ({ params, query, user }) => {
    const { name: agent } = findAgent(runtime, params.name);
    return runtime.openPassage(user, { agent, document: params.document, ...parseRequest(PassageQuery, query) });
  });

  app.post<{ name: string }>('/agent/:name/knowledge/search', async (request) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    const { top_k: topK, ...search } = parseRequest(KnowledgeSearch, request.takeBody());
    takeTurn(request.user);
    return runtime.searchKnowledge(request.user, { agent, topK, ...search, signal: AbortSignal.timeout(TIMEOUT_MS) });
  });
}
