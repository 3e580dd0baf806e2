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
