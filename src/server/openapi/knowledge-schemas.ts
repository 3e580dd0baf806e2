import * as z from 'zod';

/** Answers of the routes about documents. */

const Words = z.string();
const Count = z.number().int().nonnegative();

const place = {
  knowledge: Words.describe('The name under `knowledge` in agent.yaml'),
  document: Words.describe("The path of the file in the agent's folder"),
  title: Words,
};
const Building = z.object({ done: Count, total: Count }).describe('Present while documents are being read');

const PassageView = z.object({
  ...place,
  page: Count.optional(),
  breadcrumb: z.array(Words),
  version: Words.describe('A hash of the file'),
  start: Count,
  end: Count,
  text: Words,
});

export const OpenedView = PassageView.extend({
  is_current: z
    .boolean()
    .describe('False: the file has changed since `version`, and this is the passage nearest to `quote`'),
});

export const KnowledgeView = z.object({
  documents: z.array(
    z.object({
      ...place,
      state: z.enum(['read', 'partly', 'unread']),
      reason: Words.optional(),
      version: Words,
      passages: Count,
      read_at: Words,
    }),
  ),
  remarks: z.array(Words).describe('About whole sources: files left out, links that leave the folder'),
  building: Building.optional(),
});

export const FoundView = z.object({
  is_found: z.boolean().describe('Whether a passage is good enough to answer from'),
  passages: z.array(PassageView.extend({ support: z.number(), is_above_floor: z.boolean() })),
  building: Building.optional(),
});
