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
  const { title, pinned } = changes;
  if (pinned !== undefined) sql.run(SET_PINNED, Number(pinned), found.number);
  if (title !== undefined) {
    sql.run(SET_TITLE, title, found.number);
    const row = searchRow(found.number, TITLE_POSITION);
    sql.run('DELETE FROM search WHERE rowid = ?', row);
    if (title !== null) sql.run('INSERT INTO search (rowid, text) VALUES (?, ?)', row, foldWords(title).join(' '));
  }
  return true;
}
