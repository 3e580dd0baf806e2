import type { Resource, ResourceTemplateType, Server } from '@modelcontextprotocol/server';
import { AppError } from '../../errors.ts';
import { titleOf } from '../../schema/conversation/conversation.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { FaceOptions, Sdk } from './mcp-call.ts';

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

/** A kind of resources. A new kind is one function and one entry in `addResources`. */
interface ResourceKind {
  /** The beginning of its addresses. */
  prefix: string;
  template: ResourceTemplateType;
  /** A page of the user's own; the cursor is the one that this kind returned. */
  list(cursor: string | undefined): Promise<{ resources: Resource[]; nextCursor?: string }>;
  /** The text behind an address without its prefix; undefined if there is none for this user. */
  read(name: string): Promise<{ text: string; mimeType: string } | undefined>;
}

const CONVERSATIONS = 'holodeck://conversations/';
const MARKDOWN = 'text/markdown';
const PAGE_SIZE = 50;

/** The user's own conversations as resources, each as Markdown. */
function conversationResources({ runtime, user }: FaceOptions, sdk: Sdk): ResourceKind {
  const readCursor = (cursor: string | undefined): string | undefined => {
    if (cursor === undefined) return undefined;
    const id = ConversationId.safeParse(cursor).data;
    if (id) return id;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'The cursor is not one of this server.');
  };
  return {
    prefix: CONVERSATIONS,
    template: {
      uriTemplate: `${CONVERSATIONS}{id}`,
      name: 'conversation',
      description: 'One of your conversations, by its session_id.',
      mimeType: MARKDOWN,
    },
    async list(cursor) {
      const before = readCursor(cursor);
      const found = await runtime.listConversations(user, { limit: PAGE_SIZE + 1, ...(before && { before }) });
      const shown = found.slice(0, PAGE_SIZE);
      const last = found.length > PAGE_SIZE ? shown.at(-1) : undefined;
      const resources = shown.map((conversation) => ({
        uri: `${CONVERSATIONS}${conversation.id}`,
        name: conversation.id,
        title: titleOf(conversation) || conversation.agent,
        description: `A conversation with ${conversation.agent}.`,
        mimeType: MARKDOWN,
        annotations: { lastModified: conversation.last_updated },
      }));
      return { resources, ...(last && { nextCursor: last.id }) };
    },
    async read(name) {
      const id = ConversationId.safeParse(name).data;
      if (!id) return undefined;
      try {
        const { text } = await runtime.exportConversation(user, { conversationId: id, format: 'md' });
        return { text, mimeType: MARKDOWN };
      } catch (error) {
        if (error instanceof AppError && error.code === 'conversation_not_found') return undefined;
        throw error;
      }
    },
  };
}

const DOCUMENTS = 'holodeck://knowledge/';
const TEXT = 'text/plain';
const ADDRESS = /^([^/?]+)\/([^?]+)(?:\?(.*))?$/;
const NUMBER = /^\d{1,9}$/;

/** The documents of the agents as resources, as the user may see them, each as text. */
function documentResources({ runtime, user }: FaceOptions): ResourceKind {
  const withDocuments = () => runtime.agents.filter(({ knowledge }) => knowledge);
  return {
    prefix: DOCUMENTS,
    template: {
      uriTemplate: `${DOCUMENTS}{agent}/{document}{?start,end}`,
      name: 'document',
      description: 'The text of a document of an agent, or the part from start to end. At most 20,000 characters.',
      mimeType: TEXT,
    },
    async list() {
      const lists = withDocuments().map(async ({ name }) => {
        const { documents } = await runtime.listKnowledge(user, name);
        const readable = documents.filter(({ state }) => state !== 'unread');
        return readable.map(({ document, title, read_at: lastModified }) => ({
          uri: `${DOCUMENTS}${name}/${encodeURIComponent(document)}`,
          name: document,
          title,
          description: `A document of ${name}.`,
          mimeType: TEXT,
          annotations: { lastModified },
        }));
      });
      return { resources: (await Promise.all(lists)).flat() };
    },
    async read(name) {
      const place = readAddress(name);
      if (!place || !withDocuments().some((agent) => agent.name === place.agent)) return undefined;
      try {
        const { text } = await runtime.openPassage(user, place);
        return { text, mimeType: TEXT };
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return undefined;
        throw error;
      }
    },
  };
}

function readAddress(name: string) {
  const [, agent, document, query] = ADDRESS.exec(name) ?? [];
  if (agent === undefined || document === undefined) return undefined;
  const given = new URLSearchParams(query);
  const numberOf = (key: string) => (NUMBER.test(given.get(key) ?? '') ? Number(given.get(key)) : undefined);
  try {
    return { agent, document: decodeURIComponent(document), start: numberOf('start') ?? 0, end: numberOf('end') };
  } catch {
    return undefined;
  }
}
