import * as z from 'zod';
import { Name, Text, Url } from '../scalars.ts';

/**
 * The shape of `knowledge` in agent.yaml. A module of its own, because it is loaded only for agents that have the key:
 * `AgentFile` accepts any map there, and `config/` checks it with this schema.
 */

/** Providers whose embeddings can be used. */
const EMBEDDING_PROVIDERS = ['openai', 'ollama', 'google', 'openai_compatible'] as const;

const Embedding = z.union([
  z.literal('none'),
  z
    .strictObject({
      provider: z.enum(EMBEDDING_PROVIDERS),
      name: Text,
      endpoint: Url.optional(),
      api_key: Text.optional(),
    })
    .refine(({ provider, endpoint }) => provider !== 'openai_compatible' || endpoint !== undefined, {
      error: 'needs an endpoint; provider openai_compatible has no address of its own',
    }),
]);

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

export const KnowledgeEntry = z.strictObject({
  source: z.union([Text, z.array(Text).min(1).max(100)]),
  description: Text.optional(),
  top_k: z.number().int().min(1).max(50).default(8),
  watch: z.boolean().default(true),
  embedding: Embedding.default('none'),
  answer: z.enum(['grounded', 'freely']).default('grounded'),
  visible_to: VisibleTo.default('everyone'),
  floor: z.number().min(0).max(1).optional(),
});
export type KnowledgeEntry = z.infer<typeof KnowledgeEntry>;

export const KnowledgeMap = z.record(KnowledgeName, KnowledgeEntry);
export type KnowledgeMap = z.infer<typeof KnowledgeMap>;

function isPlainFolder(folder: string): boolean {
  return folder.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
