import { loadAgent } from '../../config/load-agent.ts';
import { localAccount } from '../../identity/local-account.ts';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { AuditEntry } from '../../store/store.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { dataFolder } from '../data-folder.ts';
import { jsonLine } from '../render/json-line.ts';

export interface AuditOptions {
  json?: boolean;
  limit?: number;
  data?: string;
}

/** `holodeck audit`: what was done in the local user's name, newest first. */
export async function runAudit(file: string | undefined, options: AuditOptions): Promise<void> {
  const folder = dataFolder(options.data, file === undefined ? undefined : await loadAgent(file));
  const user = localAccount(folder);
  const store = createSqliteStore({ folder });
  try {
    const records = await store.readAudit(user, { limit: options.limit ?? 50 });
    const show = options.json ? jsonLine : toLine;
    for (const record of records) process.stdout.write(show(record));
  } finally {
    await store.close();
  }
}

function toLine({ at, action, tool, outcome, duration_ms, arguments: args }: AuditEntry): string {
  const time = duration_ms === undefined ? '' : ` ${duration_ms} ms`;
  return `${sanitizeText(`${at}  ${action}  ${tool}  ${outcome}${time}  ${displayJson(args)}`)}\n`;
}
