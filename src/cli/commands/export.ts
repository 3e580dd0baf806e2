import { exportConversation } from '../../runtime/export-conversation.ts';
import type { AuditEntry } from '../../store/store.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { type OwnStoreOptions, readConversationId, withOwnStore } from '../own-store.ts';
import { jsonLine } from '../render/renderer.ts';

interface ExportOptions extends OwnStoreOptions {
  json?: boolean;
}

/** `holodeck export`: writes a conversation of the local user to stdout. */
export async function runExport(id: string, file: string | undefined, options: ExportOptions): Promise<void> {
  const wanted = { conversationId: readConversationId(id), format: options.json ? 'json' : 'md' } as const;
  const { text } = await withOwnStore(file, options, (store, user) => exportConversation(store, user, wanted));
  process.stdout.write(text);
}

interface AuditOptions extends OwnStoreOptions {
  json?: boolean;
  limit?: number;
}

/** `holodeck audit`: prints the tool calls made for the local user, newest first. */
export async function runAudit(file: string | undefined, options: AuditOptions): Promise<void> {
  const { json, limit = 50 } = options;
  const records = await withOwnStore(file, options, (store, user) => store.readAudit(user, { limit }));
  for (const record of records) process.stdout.write(json ? jsonLine(record) : toLine(record));
}

function toLine({ at, action, tool, outcome, duration_ms, arguments: args }: AuditEntry): string {
  const time = duration_ms === undefined ? '' : ` ${duration_ms} ms`;
  return `${sanitizeText(`${at}  ${action}  ${tool}  ${outcome}${time}  ${displayJson(args)}`)}\n`;
}
