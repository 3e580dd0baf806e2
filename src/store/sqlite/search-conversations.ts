import { CALL_THREAD } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import { type ListedRow, toListed } from '../rows.ts';
import { findPreview, foldWords } from '../search-text.ts';
import type { FoundConversation, SearchPage } from '../store.ts';
import type { Sql } from './sql.ts';

/** More words narrow a search no further and cost time. */
const MAX_WORDS = 16;

const FOUND = `SELECT c.*, (SELECT status FROM turns WHERE conversation = c.number ORDER BY number DESC LIMIT 1) AS status,
    max(s.rowid & 1048575) AS position
  FROM search s JOIN conversations c ON c.number = s.rowid >> 20
  LEFT JOIN messages m ON m.conversation = c.number AND m.position = s.rowid & 1048575
  LEFT JOIN turns t ON t.number = m.turn
  WHERE search MATCH ?1 AND c.user_id = ?2 AND (?3 IS NULL OR c.agent = ?3) AND (t.active = 1 OR s.rowid & 1048575 = 0)
    AND c.parent IS NULL AND ifnull(c.thread_id, '') NOT GLOB '${CALL_THREAD}*'
    AND (?4 IS NULL OR (c.last_activity, c.number) <
      (SELECT last_activity, number FROM conversations WHERE id = ?4 AND user_id = ?2))
  GROUP BY c.number ORDER BY c.last_activity DESC, c.number DESC LIMIT ?5`;
const TEXT = "SELECT body ->> '$.content' AS text FROM messages WHERE conversation = ? AND position = ?";

/** Conversations of the user with a text that holds all words of `q`, the last one as a beginning; newest first. */
export function searchConversations(
  sql: Sql,
  user: User,
  { q, agent, before, limit }: SearchPage,
): FoundConversation[] {
  const words = foldWords(q).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  // Folded words are letters and digits only; quotes keep words such as AND and NEAR from being operators.
  const match = `${words.map((word) => `"${word}"`).join(' ')}*`;
  const rows = sql.all<ListedRow & { position: number }>(FOUND, match, user.id, agent ?? null, before ?? null, limit);
  return rows.map((row) => {
    const text = sql.one<{ text: string | null }>(TEXT, row.number, row.position)?.text;
    return { ...toListed(row), ...(text && { preview: findPreview(text, words) }) };
  });
}
