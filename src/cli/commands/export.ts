import { exportConversation } from '../../runtime/export-conversation.ts';
import { type OwnStoreOptions, readConversationId, withOwnStore } from '../own-store.ts';

interface ExportOptions extends OwnStoreOptions {
  json?: boolean;
}

/** `holodeck export`: writes a conversation of the local user to stdout. */
export async function runExport(id: string, file: string | undefined, options: ExportOptions): Promise<void> {
  const wanted = { conversationId: readConversationId(id), format: options.json ? 'json' : 'md' } as const;
  const { text } = await withOwnStore(file, options, (store, user) => exportConversation(store, user, wanted));
  process.stdout.write(text);
}
