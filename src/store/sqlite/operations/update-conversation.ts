import { SERVER_KEYS } from '../../../schema/conversation/own-metadata.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { foldWords } from '../../search/fold-text.ts';
import type { ConversationChanges } from '../../store.ts';
import { searchRow, TITLE_POSITION } from '../search-row.ts';
import type { Sql } from '../sql.ts';

export interface UpdateConversation {
  userId: string;
  id: string;
  changes: ConversationChanges;
}

const FIND = 'SELECT number FROM conversations WHERE id = ? AND user_id = ?';
const SET_TITLE = 'UPDATE conversations SET title = ? WHERE number = ?';
const SET_PINNED = 'UPDATE conversations SET pinned = ? WHERE number = ?';

/** Changes the user's own title and mark; false when there is no such conversation of this user. */
export function updateConversation(sql: Sql, { userId, id, changes }: UpdateConversation): boolean {
  const found = sql.one<{ number: number }>(FIND, id, userId);
  if (!found) return false;
  const { title, pinned, metadata } = changes;
  if (metadata) setMetadata(sql, found.number, metadata);
  if (pinned !== undefined) sql.run(SET_PINNED, Number(pinned), found.number);
  if (title !== undefined) {
    sql.run(SET_TITLE, title, found.number);
    const row = searchRow(found.number, TITLE_POSITION);
    sql.run('DELETE FROM search WHERE rowid = ?', row);
    if (title !== null) sql.run('INSERT INTO search (rowid, text) VALUES (?, ?)', row, foldWords(title).join(' '));
  }
  return true;
}

function setMetadata(sql: Sql, conversation: number, own: JsonObject): void {
  const row = sql.one<{ metadata: string }>('SELECT metadata FROM conversations WHERE number = ?', conversation);
  const known: [string, unknown][] = Object.entries(JSON.parse(row?.metadata ?? '{}'));
  const ours = Object.fromEntries(known.filter(([key]) => SERVER_KEYS.includes(key)));
  sql.run('UPDATE conversations SET metadata = ? WHERE number = ?', JSON.stringify({ ...own, ...ours }), conversation);
}
