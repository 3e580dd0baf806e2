import { CALL_THREAD, SERVER_KEYS } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import { type ListedRow, toListed } from '../rows.ts';
import { findPreview, foldWords } from '../search-text.ts';
import type { ConversationChanges, FoundConversation, SearchPage } from '../store.ts';
import { storableJson } from './encode.ts';
import type { Link, Sql } from './link.ts';

/** Messages in one step. */
const BATCH = 100;
/** More words narrow a search no further and cost time. */
const MAX_WORDS = 16;
/** A longer word is no word; PostgreSQL refuses 2,048 bytes. */
const MAX_WORD_CHARS = 500;
/** A vector holds at most 1 MB. */
const MAX_TEXT_WORDS = 20_000;

interface StaleRow {
  conversation: number;
  position: number;
  is_text: number;
  body: string;
}

const STALE = `SELECT m.conversation, m.position, m.is_text, m.body FROM conversations c
  JOIN messages m ON m.conversation = c.number AND m.position > c.indexed
  WHERE c.user_id = $1 ORDER BY c.number, m.position LIMIT $2`;
const INSERT = `INSERT INTO search (conversation, position, words)
  SELECT $1, $2, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text($3::text::jsonb)))
  WHERE EXISTS (SELECT 1 FROM conversations WHERE number = $1) ON CONFLICT DO NOTHING`;
const SET_INDEXED = 'UPDATE conversations SET indexed = greatest(indexed, $2) WHERE number = $1';

/** Adds the user's newest texts to the index. They are indexed when somebody searches, never by a turn's commit. */
export async function indexTexts(link: Link, user: User): Promise<void> {
  for (;;) {
    const rows = await link.all<StaleRow>(STALE, user.id, BATCH);
    if (rows.length === 0) return;
    await link.transaction(async (sql) => {
      for (const { conversation, position, is_text, body } of rows) {
        if (is_text === 1) await sql.all(INSERT, conversation, position, toWords(JSON.parse(body).content));
      }
      const ends = new Map(rows.map(({ conversation, position }) => [conversation, position]));
      for (const [conversation, position] of ends) await sql.all(SET_INDEXED, conversation, position);
    });
    if (rows.length < BATCH) return;
  }
}

/** Words as a JSON list of lexemes; PostgreSQL's own parser would read some of them differently than SQLite. */
function toWords(text: string): string {
  const words = new Set(foldWords(text).map((word) => word.slice(0, MAX_WORD_CHARS)));
  return JSON.stringify([...words].slice(0, MAX_TEXT_WORDS));
}

const FOUND = `SELECT c.*, (SELECT status FROM turns WHERE conversation = c.number ORDER BY number DESC LIMIT 1) AS status,
    hit.position, (SELECT body FROM messages m WHERE m.conversation = c.number AND m.position = hit.position) AS body
  FROM conversations c JOIN (
    SELECT s.conversation, max(s.position) AS position FROM search s
    LEFT JOIN messages m ON m.conversation = s.conversation AND m.position = s.position
    LEFT JOIN turns t ON t.number = m.turn
    WHERE s.words @@ $1::tsquery AND (t.active = 1 OR s.position = 0)
      AND s.conversation IN (SELECT number FROM conversations WHERE user_id = $2)
    GROUP BY s.conversation) hit ON hit.conversation = c.number
  WHERE c.user_id = $2 AND ($3::text IS NULL OR c.agent = $3) AND c.parent IS NULL
    AND coalesce(c.thread_id, '') NOT LIKE '${CALL_THREAD}%'
    AND ($4::text IS NULL OR (c.last_activity, c.number) <
      (SELECT last_activity, number FROM conversations WHERE id = $4 AND user_id = $2))
  ORDER BY c.last_activity DESC, c.number DESC LIMIT $5`;

/** Conversations of the user with a text that holds all words of `q`, the last one as a beginning; newest first. */
export async function searchConversations(
  sql: Sql,
  user: User,
  { q, agent, before, limit }: SearchPage,
): Promise<FoundConversation[]> {
  const words = foldWords(q)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_WORD_CHARS));
  if (words.length === 0) return [];
  // Folded words are letters and digits only, so quotes are enough.
  const query = `${words.map((word) => `'${word}'`).join(' & ')}:*`;
  const rows = await sql.all<ListedRow & { position: number; body: string | null }>(
    FOUND,
    ...[query, user.id, agent ?? null, before ?? null, limit],
  );
  return rows.map(({ body, position: _, ...row }) => {
    const text: unknown = body === null ? undefined : JSON.parse(body).content;
    return { ...toListed(row), ...(typeof text === 'string' && text && { preview: findPreview(text, words) }) };
  });
}

const FIND = 'SELECT number FROM conversations WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE';
const SET_TITLE = `INSERT INTO search (conversation, position, words)
  VALUES ($1, 0, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text($2::text::jsonb))))
  ON CONFLICT (conversation, position) DO UPDATE SET words = excluded.words`;

const SET_METADATA = `UPDATE conversations SET metadata = ($2::text::jsonb || (
    SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(metadata::jsonb)
    WHERE key IN (SELECT jsonb_array_elements_text($3::text::jsonb))))::text WHERE number = $1`;

/** Sets the user's own title, mark and values; false when there is no such conversation of this user. */
export async function updateConversation(
  link: Link,
  user: User,
  { id, title, pinned, metadata }: ConversationChanges & { id: string },
): Promise<boolean> {
  return link.transaction(async (sql) => {
    const found = await sql.one<{ number: number }>(FIND, id, user.id);
    if (!found) return false;
    const { number } = found;
    if (pinned !== undefined)
      await sql.all('UPDATE conversations SET pinned = $2 WHERE number = $1', number, Number(pinned));
    if (metadata)
      await sql.all(SET_METADATA, number, JSON.stringify(storableJson(metadata)), JSON.stringify(SERVER_KEYS));
    if (title === undefined) return true;
    await sql.all('UPDATE conversations SET title = $2 WHERE number = $1', number, title);
    if (title === null) await sql.all('DELETE FROM search WHERE conversation = $1 AND position = 0', number);
    else await sql.all(SET_TITLE, number, toWords(title));
    return true;
  });
}
