import * as z from 'zod';
import { Provider, providerFacts } from '../provider.ts';
import { Name, Text, Url } from '../scalars.ts';

/**
 * The shape of `knowledge` in agent.yaml. A module of its own, because it is loaded only for agents that have the key:
 * `AgentFile` accepts any map there, and `config/` checks it with this schema.
 */

/** Providers whose embeddings can be used: those with OpenAI's protocol, and two with their own. */
const EMBEDDING_PROVIDERS = Provider.exclude(['builtin', 'anthropic']);

const Embedding = z.union([
  z.literal('none'),
  z
    .strictObject({
      provider: EMBEDDING_PROVIDERS,
      name: Text,
      endpoint: Url.optional(),
      api_key: Text.optional(),
    })
    .refine(({ provider, endpoint }) => !providerFacts(provider).needsEndpoint || endpoint !== undefined, {
      error: 'needs an endpoint; this provider has no address of its own',
    }),
]);

/** CSV, JSON and JSON lines as records: each becomes one passage, named by its id. */
const Records = z.strictObject({
  id: Text,
  text: z.array(Text).min(1),
  meta: z.array(Text).default([]),
  path: Text.optional(),
  delimiter: Text.optional(),
});
export type Records = z.infer<typeof Records>;

/** Which users see which folder: `{value}` is one of the user's values of the claim. */
const VisibleTo = z.union([
  z.literal('everyone'),
  z.strictObject({
    claim: z.literal('groups').default('groups'),
    folder: z
      .string()
      .refine((folder) => folder.split('{value}').length === 2, 'must hold {value} once, such as teams/{value}')
      .refine(isPlainFolder, 'must be a folder inside the source, without . and ..'),
  }),
]);
export type VisibleTo = z.infer<typeof VisibleTo>;

/** The name becomes part of a tool's name, `search_<name>`, which has at most 64 letters. */
const KnowledgeName = Name.max(50);

const Share = z.number().min(0).max(1);

export const KnowledgeEntry = z.strictObject({
  source: z.union([Text, z.array(Text).min(1).max(100)]),
  description: Text.optional(),
  top_k: z.number().int().min(1).max(100).default(8),
  watch: z.boolean().default(true),
  embedding: Embedding.default('none'),
  answer: z.enum(['grounded', 'freely']).default('grounded'),
  visible_to: VisibleTo.default('everyone'),
  floor: Share.optional(),
  tool: Name.optional(),
  passage_words: z.number().int().min(50).max(700).default(350),
  records: Records.optional(),
  search_mode: z.enum(['hybrid', 'semantic', 'keyword']).default('hybrid'),
  semantic_weight: Share.default(0.5),
  keyword_weight: Share.default(0.5),
  rrf_k: z.number().int().min(1).max(1_000).default(60),
  min_similarity: Share.default(0.5),
});
export type KnowledgeEntry = z.infer<typeof KnowledgeEntry>;

export const KnowledgeMap = z.record(KnowledgeName, KnowledgeEntry);
export type KnowledgeMap = z.infer<typeof KnowledgeMap>;

function isPlainFolder(folder: string): boolean {
  return folder.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
