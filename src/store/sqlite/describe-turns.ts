import type { Feedback } from '../../schema/conversation/feedback.ts';
import type { AssistantMessage, UserMessage } from '../../schema/conversation/message.ts';
import type { User } from '../../schema/user.ts';
import type { DescribedTurn, Page, StoredTurn } from '../store.ts';
import { readFeedback } from './read-feedback.ts';
import { listTurns, readResult } from './reader.ts';
import type { Sql } from './sql.ts';

interface TextRow {
  id: string;
  turn_id: string;
  role: 'user' | 'assistant';
  body: string;
}

/** Turns of one conversation have ascending numbers, so a page of turns is a range. */
const TEXTS = `SELECT m.id, t.id AS turn_id, m.role, m.body FROM messages m JOIN turns t ON t.number = m.turn
  JOIN conversations c ON c.number = m.conversation
  WHERE c.id = ?1 AND c.user_id = ?2 AND m.is_text = 1
    AND m.turn BETWEEN (SELECT number FROM turns WHERE id = ?3) AND (SELECT number FROM turns WHERE id = ?4)
  ORDER BY m.position`;

export function describeTurns(sql: Sql, user: User, conversationId: string, page: Page): DescribedTurn[] {
  const turns = listTurns(sql, user, conversationId, page);
  const [newest, oldest] = [turns[0], turns.at(-1)];
  if (!newest || !oldest) return [];
  const texts = Map.groupBy(
    sql.all<TextRow>(TEXTS, conversationId, user.id, oldest.id, newest.id),
    ({ turn_id }) => turn_id,
  );
  const feedback = readFeedback(sql, user, conversationId);
  return turns.map((turn) =>
    describeTurn(turn, readResult(sql, user, turn.id), { texts: texts.get(turn.id), feedback }),
  );
}

interface Parts {
  texts: readonly TextRow[] | undefined;
  feedback: ReadonlyMap<string, Feedback>;
}

function describeTurn(
  turn: StoredTurn,
  result: DescribedTurn['result'],
  { texts = [], feedback }: Parts,
): DescribedTurn {
  const asked = texts.find(({ role }) => role === 'user');
  const answered = texts.findLast(({ role }) => role === 'assistant');
  const judged = answered && feedback.get(answered.id);
  // The casts are safe: a message's body was written with its role.
  return {
    ...turn,
    ...(asked && { message: JSON.parse(asked.body) as UserMessage }),
    ...(answered && { answer: JSON.parse(answered.body) as AssistantMessage }),
    ...(result && { result }),
    ...(judged && { feedback: judged }),
  };
}
