import type { Feedback } from '../../schema/conversation/feedback.ts';
import type { TurnMessage } from '../../schema/conversation/history.ts';
import type { AssistantMessage, UserMessage } from '../../schema/conversation/message.ts';
import type { User } from '../../schema/user.ts';
import { SELECT_TURN, type TurnRow, toStoredTurn } from '../rows.ts';
import { type LeftTurn, MAX_ATTEMPTS } from '../shared.ts';
import type { AcceptedTools, DescribedTurn, Page, StoredTurn, ToolServer } from '../store.ts';
import type { Sql } from './link.ts';
import { readFeedback } from './read-feedback.ts';
import { listTurns } from './reader.ts';

interface TextRow {
  id: string;
  turn_id: string;
  role: 'user' | 'assistant';
  body: string;
}

const TEXTS = `SELECT m.id, t.id AS turn_id, m.role, m.body FROM messages m JOIN turns t ON t.number = m.turn
  JOIN conversations c ON c.number = m.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND m.is_text = 1
    AND m.turn BETWEEN (SELECT number FROM turns WHERE id = $3) AND (SELECT number FROM turns WHERE id = $4)
  ORDER BY m.position`;
const RESULTS = `SELECT t.id, t.result FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND t.result IS NOT NULL
    AND t.number BETWEEN (SELECT number FROM turns WHERE id = $3) AND (SELECT number FROM turns WHERE id = $4)`;

export async function describeTurns(
  sql: Sql,
  user: User,
  conversationId: string,
  page: Page,
): Promise<DescribedTurn[]> {
  const turns = await listTurns(sql, user, conversationId, page);
  const [newest, oldest] = [turns[0], turns.at(-1)];
  if (!newest || !oldest) return [];
  const range = [conversationId, user.id, oldest.id, newest.id] as const;
  const [rows, found, feedback] = await Promise.all([
    sql.all<TextRow>(TEXTS, ...range),
    sql.all<{ id: string; result: string }>(RESULTS, ...range),
    readFeedback(sql, user, conversationId),
  ]);
  const texts = Map.groupBy(rows, ({ turn_id }) => turn_id);
  const results = new Map(found.map(({ id, result }) => [id, result]));
  return turns.map((turn) => describeTurn(turn, results.get(turn.id), { texts: texts.get(turn.id), feedback }));
}

interface Parts {
  texts: readonly TextRow[] | undefined;
  feedback: ReadonlyMap<string, Feedback>;
}

function describeTurn(turn: StoredTurn, result: string | undefined, { texts = [], feedback }: Parts): DescribedTurn {
  const asked = texts.find(({ role }) => role === 'user');
  const answered = texts.findLast(({ role }) => role === 'assistant');
  const judged = answered && feedback.get(answered.id);
  // The casts are safe: a message's body was written with its role.
  return {
    ...turn,
    ...(asked && { message: JSON.parse(asked.body) as UserMessage }),
    ...(answered && { answer: JSON.parse(answered.body) as AssistantMessage }),
    ...(result && { result: JSON.parse(result) }),
    ...(judged && { feedback: judged }),
  };
}

const PATH = `WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE id = $1 AND user_id = $2
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path ON t.number = path.parent)
  SELECT m.body, t.id FROM messages m JOIN turns t ON t.number = m.turn
  WHERE m.conversation = (SELECT conversation FROM turns WHERE id = $1 AND user_id = $2)
    AND m.turn IN (SELECT number FROM path) ORDER BY m.position`;

export async function readPath(
  sql: Sql,
  user: User,
  turnId: string,
): Promise<Pick<TurnMessage, 'turnId' | 'message'>[]> {
  const rows = await sql.all<{ body: string; id: string }>(PATH, turnId, user.id);
  return rows.map(({ body, id }) => ({ turnId: id, message: JSON.parse(body) }));
}

const ACCEPTED = 'SELECT tool, fingerprint FROM accepted_tools WHERE agent = $1 AND server = $2 AND user_id = $3';

export async function readAcceptedTools(
  sql: Sql,
  { userId, agent, server }: ToolServer & { userId: string },
): Promise<AcceptedTools | undefined> {
  const rows = await sql.all<{ tool: string; fingerprint: string }>(ACCEPTED, agent, server, userId);
  if (rows.length === 0) return undefined;
  // A row without a tool marks the list itself, so that an accepted empty list differs from an unknown server.
  return Object.fromEntries(rows.flatMap(({ tool, fingerprint }) => (tool === '' ? [] : [[tool, fingerprint]])));
}

const LEFT = `SELECT left_turns.*, t2.user_id, t2.request FROM (${SELECT_TURN}
    WHERE t.status = 'interrupted' AND t.continues = 1 AND t.attempt < $1 AND t.active = 1 AND c.head = t.number
    ORDER BY t.number LIMIT $2) left_turns
  JOIN turns t2 ON t2.number = left_turns.number ORDER BY left_turns.number`;

/** Interrupted turns whose request asked to go on. */
export async function listToContinue(sql: Sql, limit: number): Promise<LeftTurn[]> {
  const rows = await sql.all<TurnRow & { user_id: string; request: string | null }>(LEFT, MAX_ATTEMPTS, limit);
  return rows.map((row) => ({
    turn: toStoredTurn(row),
    userId: row.user_id,
    request: JSON.parse(row.request ?? '{}'),
  }));
}
