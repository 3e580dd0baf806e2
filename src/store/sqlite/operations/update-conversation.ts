import { SERVER_KEYS } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { foldWords } from '../../search-text.ts';
import type { ConversationChanges } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { searchRow, TITLE_POSITION } from './index-texts.ts';

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

export interface OwnConversation {
  userId: string;
  id: string;
}

/** Deletes a conversation with its turns, events and messages; false if there was none. */
export function deleteConversation(sql: Sql, { userId, id }: OwnConversation): boolean {
  return sql.run('DELETE FROM conversations WHERE id = ? AND user_id = ?', id, userId) > 0;
}

const TOUCH = 'UPDATE conversations SET last_activity = max(last_activity, ?) WHERE id = ? AND user_id = ?';

export function touchConversation(sql: Sql, { userId, id, at }: OwnConversation & { at: string }): void {
  sql.run(TOUCH, at, id, userId);
}
