import type { Server } from '@modelcontextprotocol/server';
import { conversationResources } from './conversation-resources.ts';
import { documentResources } from './document-resources.ts';
import type { FaceOptions, Sdk } from './mcp-call.ts';
import type { ResourceKind } from './resource-kind.ts';

/** The user's own resources. The documents are on the first page: their number is that of the agents' files. */
export function addResources(server: Server, options: FaceOptions, sdk: Sdk): void {
  const documents = documentResources(options);
  const conversations = conversationResources(options, sdk);
  const hasDocuments = options.runtime.agents.some(({ knowledge }) => knowledge);
  const kinds: readonly ResourceKind[] = hasDocuments ? [documents, conversations] : [conversations];
  server.setRequestHandler('resources/list', async ({ params }) => {
    const page = await conversations.list(params?.cursor);
    if (params?.cursor !== undefined) return page;
    const { resources } = await documents.list(undefined);
    return { ...page, resources: [...resources, ...page.resources] };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: kinds.map(({ template }) => template),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const kind = kinds.find(({ prefix }) => uri.startsWith(prefix));
    const found = await kind?.read(uri.slice(kind.prefix.length));
    if (!found) throw new sdk.ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] };
  });
}
