import type { AuditEntry } from '../../store/store.ts';
import { displayJson, sanitizeText } from '../../tools/sanitize.ts';
import { openOwnStore } from '../own-store.ts';
import { jsonLine } from '../render/json-line.ts';

export interface AuditOptions {
  json?: boolean;
  limit?: number;
  data?: string;
  user?: string;
}

/** `holodeck audit`: prints the tool calls made for the local user, newest first. */
export async function runAudit(file: string | undefined, options: AuditOptions): Promise<void> {
  const { store, user } = await openOwnStore(file, options);
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
