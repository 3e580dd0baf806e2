import { foldWords } from '../../search-text.ts';
import type { Sql } from '../sql.ts';

/** Positions of one conversation in the search index; a conversation has fewer messages. */
const SPAN = 2 ** 20;
/** The row of a conversation's own title; messages begin at 1. */
export const TITLE_POSITION = 0;

/** The row of a text in the search index. The trigger that deletes a conversation's rows uses the same span. */
export function searchRow(conversation: number, position: number): number {
  return conversation * SPAN + position;
}

export interface IndexTexts {
  userId: string;
  /** Messages to read at most, so that no other write waits long. */
  limit: number;
}

interface StaleRow {
  conversation: number;
  position: number;
  is_text: number;
  body: string;
}

const STALE = `SELECT m.conversation, m.position, m.is_text, m.body FROM conversations c
  JOIN messages m ON m.conversation = c.number AND m.position > c.indexed
  WHERE c.user_id = ? ORDER BY c.number, m.position LIMIT ?`;
const INSERT = 'INSERT INTO search (rowid, text) VALUES (?, ?)';
const SET_INDEXED = 'UPDATE conversations SET indexed = ? WHERE number = ?';

/** Adds the user's newest texts to the search index. Returns the number of messages that were read. */
export function indexTexts(sql: Sql, { userId, limit }: IndexTexts): number {
  const rows = sql.all<StaleRow>(STALE, userId, limit);
  for (const { conversation, position, is_text, body } of rows) {
    if (is_text === 1)
      sql.run(INSERT, searchRow(conversation, position), foldWords(JSON.parse(body).content).join(' '));
  }
  const ends = new Map(rows.map(({ conversation, position }) => [conversation, position]));
  for (const [conversation, position] of ends) sql.run(SET_INDEXED, position, conversation);
  return rows.length;
}
