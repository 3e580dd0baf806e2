import * as z from 'zod';

/** Requests about documents. Loaded with the first of them: each schema costs time when a server starts. */

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
