import type { TurnMessage } from '../../schema/conversation/history.ts';
import type { AssistantMessage, Message, UserMessage } from '../../schema/conversation/message.ts';
import type { Feedback } from '../../schema/conversation/turn.ts';
import type { User } from '../../schema/user.ts';
import type { DescribedTurn, Page, ReadMessages, Store, StoredTurn } from '../store.ts';
import type { Query } from './query.ts';

type MessageReads = Pick<Store, 'readMessages' | 'readHistory' | 'describeTurns'>;

export function readMessagesFrom(query: Query, listTurns: Store['listTurns']): MessageReads {
  return {
    async readMessages(user, conversationId, options = {}) {
      return (await findMessages(query, user, conversationId, options)).map((row): Message => JSON.parse(row.body));
    },
    readHistory: (user, conversationId, options = {}) => readHistory(query, user, conversationId, options),
    async describeTurns(user, conversationId, page: Page) {
      return describeTurns(query, user, conversationId, await listTurns(user, conversationId, page));
    },
  };
}

const MESSAGES = `SELECT m.body, m.is_text, m.turn AS number, t.id FROM messages m JOIN conversations c ON c.number = m.conversation
  JOIN turns t ON t.number = m.turn
  WHERE c.id = $1 AND c.user_id = $2 AND t.active = 1 AND t.id <> $3 AND m.position >= coalesce((
    SELECT texts.position FROM messages texts JOIN turns path ON path.number = texts.turn
    WHERE texts.conversation = c.number AND texts.is_text = 1 AND path.active = 1
    ORDER BY texts.position DESC LIMIT 1 OFFSET $4), 0)
  ORDER BY m.position`;

interface MessageRow {
  body: string;
  is_text: number;
  /** Row number and id of the message's turn. */
  number: number;
  id: string;
}

async function findMessages(
  query: Query,
  user: User,
  conversationId: string,
  { last = Number.MAX_SAFE_INTEGER, exceptTurn = '' }: ReadMessages,
): Promise<MessageRow[]> {
  return last === 0 ? [] : query.all<MessageRow>(MESSAGES, conversationId, user.id, exceptTurn, last - 1);
}

const RESULTS = `SELECT t.number, t.result FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND t.active = 1 AND t.result IS NOT NULL AND t.number >= $3`;

async function readHistory(
  query: Query,
  user: User,
  conversationId: string,
  options: ReadMessages,
): Promise<TurnMessage[]> {
  const feedback = await readFeedback(query, user, conversationId);
  const rows = await findMessages(query, user, conversationId, options);
  const [first] = rows;
  if (!first) return [];
  const found = await query.all<{ number: number; result: string }>(RESULTS, conversationId, user.id, first.number);
  const results = new Map(found.map(({ number, result }) => [number, result]));
  const history = rows.toReversed().map((row): TurnMessage => {
    const message: Message = JSON.parse(row.body);
    const isAnswer = message.role === 'assistant' && row.is_text === 1;
    const result = isAnswer ? results.get(row.number) : undefined;
    if (result) results.delete(row.number);
    const judged = feedback.get(message.id);
    return {
      turnId: row.id,
      message,
      ...(result && { result: withoutCalls(result) }),
      ...(judged && { feedback: judged }),
    };
  });
  return history.reverse();
}

/** PostgreSQL's JSON type cannot hold every text, so the calls are removed here. */
function withoutCalls(text: string): NonNullable<TurnMessage['result']> {
  const { tool_calls: _, ...result } = JSON.parse(text);
  return result;
}

const FEEDBACK = `SELECT f.message_id, f.body FROM feedback f JOIN conversations c ON c.number = f.conversation
  WHERE c.id = $1 AND c.user_id = $2`;

/** All feedback of a conversation, by the id of the answer. */
async function readFeedback(query: Query, user: User, conversationId: string): Promise<Map<string, Feedback>> {
  const rows = await query.all<{ message_id: string; body: string }>(FEEDBACK, conversationId, user.id);
  return new Map(rows.map((row): [string, Feedback] => [row.message_id, JSON.parse(row.body)]));
}

/** Turns of one conversation have ascending numbers, so a page of turns is a range. */
const IN_RANGE = `BETWEEN (SELECT number FROM turns WHERE id = $3) AND (SELECT number FROM turns WHERE id = $4)`;
const TEXTS = `SELECT m.id, t.id AS turn_id, m.role, m.body FROM messages m JOIN turns t ON t.number = m.turn
  JOIN conversations c ON c.number = m.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND m.is_text = 1 AND m.turn ${IN_RANGE} ORDER BY m.position`;
const RESULTS_IN_RANGE = `SELECT t.id, t.result FROM turns t JOIN conversations c ON c.number = t.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND t.result IS NOT NULL AND t.number ${IN_RANGE}`;

interface TextRow {
  id: string;
  turn_id: string;
  role: 'user' | 'assistant';
  body: string;
}

async function describeTurns(
  query: Query,
  user: User,
  conversationId: string,
  turns: readonly StoredTurn[],
): Promise<DescribedTurn[]> {
  const [newest, oldest] = [turns[0], turns.at(-1)];
  if (!newest || !oldest) return [];
  const range = [conversationId, user.id, oldest.id, newest.id] as const;
  const [rows, found, feedback] = await Promise.all([
    query.all<TextRow>(TEXTS, ...range),
    query.all<{ id: string; result: string }>(RESULTS_IN_RANGE, ...range),
    readFeedback(query, user, conversationId),
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
