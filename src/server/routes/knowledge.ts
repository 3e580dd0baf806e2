import * as z from 'zod';
import type { ServerDeps } from '../deps.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';

/**
 * Handlers of the routes about an agent's documents. A document that the user may not see does not exist for them. The file
 * is loaded with the first request: each schema costs time when a server starts.
 */
const TIMEOUT_MS = 20_000;

const Place = z.coerce.number().int().min(0).max(1e9);
const KnowledgeChoice = z
  .string()
  .max(50)
  .optional()
  .describe('The name under `knowledge` in agent.yaml; absent = all');

/** Query of `GET /agent/{name}/knowledge/{document}`. */
export const PassageQuery = z.strictObject({
  start: Place.default(0),
  end: Place.optional().describe('At most 20,000 characters are returned'),
  version: z.string().max(200).optional().describe('The version of a citation'),
  quote: z.string().max(2000).optional().describe('The quote of a citation, to find it again in a changed file'),
  knowledge: KnowledgeChoice,
});

/** Body of `POST /agent/{name}/knowledge/search`. */
export const KnowledgeSearch = z.strictObject({
  query: z.string().min(1).max(2000),
  top_k: z.number().int().min(1).max(50).optional(),
  knowledge: KnowledgeChoice,
});

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
