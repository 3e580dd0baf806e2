import { AppError } from '../../errors.ts';
import { titleOf } from '../../schema/conversation/conversation.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { FaceOptions, Sdk } from './mcp-call.ts';
import type { ResourceKind } from './resource-kind.ts';

const PREFIX = 'holodeck://conversations/';
const MARKDOWN = 'text/markdown';
const PAGE_SIZE = 50;

/** The user's own conversations as resources, each as Markdown. */
export function conversationResources({ runtime, user }: FaceOptions, sdk: Sdk): ResourceKind {
  const readCursor = (cursor: string | undefined): string | undefined => {
    if (cursor === undefined) return undefined;
    const id = ConversationId.safeParse(cursor).data;
    if (id) return id;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'The cursor is not one of this server.');
  };
  return {
    prefix: PREFIX,
    template: {
      uriTemplate: `${PREFIX}{id}`,
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
        uri: `${PREFIX}${conversation.id}`,
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
