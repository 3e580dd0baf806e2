import { AppError } from '../../errors.ts';
import { exportConversation } from '../../runtime/export-conversation.ts';
import { ConversationId } from '../../schema/ids.ts';
import { openOwnStore } from '../own-store.ts';

export interface ExportOptions {
  json?: boolean;
  data?: string;
  user?: string;
}

/** `holodeck export`: writes a conversation of the local user to stdout. */
export async function runExport(id: string, file: string | undefined, options: ExportOptions): Promise<void> {
  const parsed = ConversationId.safeParse(id);
  if (!parsed.success) throw new AppError('usage', { detail: `${JSON.stringify(id)} is no id of a conversation.` });
  const { store, user } = await openOwnStore(file, options);
  try {
    const format = options.json ? 'json' : 'md';
    const { text } = await exportConversation(store, user, { conversationId: parsed.data, format });
    process.stdout.write(text);
  } finally {
    await store.close();
  }
}
