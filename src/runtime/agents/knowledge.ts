import { localAccount } from '../../identity/local-account.ts';
import type { Groups, KnowledgeBase } from '../../knowledge/knowledge.ts';
import type { User } from '../../schema/user.ts';
import type { Capability, ToolSource } from '../../tools/tool.ts';
import type { PluginOptions, PluginParts } from './plugin-parts.ts';

/** Parts that only an agent with documents has. */
export interface Documents {
  bases: readonly KnowledgeBase[];
  /** The groups of a user. The local account sees everything. */
  groupsOf(user: User): Groups;
}

export const DOCUMENTS: Capability<Documents> = { name: 'documents' };

/** Returns undefined for an agent without knowledge, so that none of this code is loaded for it. */
export async function openDocuments(options: PluginOptions): Promise<PluginParts | undefined> {
  const { agent, source, folder, clock, ids, log, isBuiltin, keepsFresh } = options;
  const entries = Object.entries(agent.knowledge ?? {});
  if (entries.length === 0) return undefined;
  const [{ openKnowledge }, { createKnowledgePlugin }, { createSearchTool, searchToolName }, { planKnowledgeTurn }] =
    await Promise.all([
      import('../../knowledge/open-knowledge.ts'),
      import('../../knowledge/answer/knowledge-plugin.ts'),
      import('../../knowledge/answer/search-tool.ts'),
      import('../../knowledge/answer/plan-knowledge.ts'),
    ]);
  const bases = entries.map(([name, entry]) =>
    openKnowledge({ agent: agent.name, folder: source, name, entry, data: folder, clock, log }),
  );
  if (keepsFresh) for (const base of bases) base.keepFresh((text) => log?.(text, { agent: agent.name }));
  const groupsOf = ({ id, groups }: User): Groups => groups ?? (id === localAccount(folder).id ? 'all' : []);
  const names = new Map(bases.map((base) => [searchToolName(base), base.name]));
  const knowledgeOf = (tool: string) => names.get(tool);
  const documents: Documents = { bases, groupsOf };
  return {
    plugin: createKnowledgePlugin({ bases, ids, searchesFirst: !isBuiltin }),
    sources: bases.map((base) => toSource(base, createSearchTool({ base, groupsOf, clock }))),
    plan: (turns, request, otherwise) =>
      request.tools.some(({ name }) => names.has(name))
        ? planKnowledgeTurn(turns, request, { knowledgeOf, otherwise })
        : undefined,
    capabilities: new Map([[DOCUMENTS, documents]]),
  };
}

function toSource(base: KnowledgeBase, tool: Awaited<ReturnType<ToolSource['tools']>>[number]): ToolSource {
  const { name, description } = tool;
  return {
    name: base.name,
    tools: async () => [tool],
    status: () => ({ state: 'ready', tools: [{ name, description }] }),
    close: () => base.close(),
  };
}
