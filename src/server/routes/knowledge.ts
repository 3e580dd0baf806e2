import type { ServerDeps } from '../deps.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';
import { KnowledgeSearch, PassageQuery } from './knowledge-requests.ts';

const TIMEOUT_MS = 20_000;

/** Handlers of the routes about an agent's documents. A document that the user may not see does not exist for them. */

export function openDocument(
  { runtime }: ServerDeps,
  agent: string,
  { params: { document }, query, user }: HttpRequest<{ document: string }>,
) {
  return runtime.openPassage(user, { agent, document, ...parseRequest(PassageQuery, query) });
}

export function searchDocuments({ runtime, takeTurn }: ServerDeps, agent: string, request: HttpRequest) {
  const { top_k: topK, ...search } = parseRequest(KnowledgeSearch, request.takeBody());
  takeTurn(request.user);
  return runtime.searchKnowledge(request.user, { agent, topK, ...search, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
