import type { AcceptedTools, ToolServer } from '../../store.ts';
import type { Sql } from '../sql.ts';

export interface AcceptTools extends ToolServer {
  userId: string;
  accepted: AcceptedTools;
}

/** A row without a tool marks the list itself, so that an accepted empty list differs from an unknown server. */
const LIST = '';

const INSERT = 'INSERT INTO accepted_tools (agent, server, user_id, tool, fingerprint) VALUES (?, ?, ?, ?, ?)';

/** Replaces the list that was accepted before. */
export function acceptTools(sql: Sql, { userId, agent, server, accepted }: AcceptTools): void {
  sql.run('DELETE FROM accepted_tools WHERE agent = ? AND server = ? AND user_id = ?', agent, server, userId);
  for (const [tool, fingerprint] of [[LIST, ''], ...Object.entries(accepted)]) {
    sql.run(INSERT, ...[agent, server, userId, tool ?? LIST, fingerprint ?? '']);
  }
}

const ACCEPTED = 'SELECT tool, fingerprint FROM accepted_tools WHERE agent = ? AND server = ? AND user_id = ?';

export function readAcceptedTools(
  sql: Sql,
  { userId, agent, server }: ToolServer & { userId: string },
): AcceptedTools | undefined {
  const rows = sql.all<{ tool: string; fingerprint: string }>(ACCEPTED, agent, server, userId);
  if (rows.length === 0) return undefined;
  const tools = rows.filter(({ tool }) => tool !== LIST);
  return Object.fromEntries(tools.map(({ tool, fingerprint }) => [tool, fingerprint]));
}
