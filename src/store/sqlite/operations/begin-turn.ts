import type { EncodedWrite } from '../../encode.ts';
import { takenOver } from '../../interruption.ts';
import { isKeyExpired, SELECT_TURN, type TurnRow, toStoredTurn } from '../../rows.ts';
import type { BeginTurn, Begun, NewConversation } from '../../store.ts';
import type { Sql } from '../sql.ts';
import { appendAttachments, appendMessages, appendWrite } from './append-write.ts';

export type EncodedBegin = Omit<BeginTurn, 'write' | 'seed'> & {
  userId: string;
  write: EncodedWrite;
  seed: { turnId: string; messages: EncodedWrite['messages'] }[];
};

/** Checks for a known key first, then for a missing or busy conversation; otherwise takes the turn for `runnerId`. */
export function beginTurn(sql: Sql, begin: EncodedBegin, runnerId: string): Begun {
  const known = takeKnownTurn(sql, begin);
  if (known) {
    const isSame = known.request_hash === (begin.requestHash ?? null);
    return isSame ? { outcome: 'known', turn: toStoredTurn(known) } : { outcome: 'mismatch' };
  }
  const taken = begin.isNew ? makeConversation(sql, begin) : takeConversation(sql, begin);
  if ('outcome' in taken) return taken;
  const place = begin.isNew ? appendSeed(sql, begin, taken) : taken;
  const turn = insertTurn(sql, begin, { place, runnerId, status: 'running', attempt: 1 });
  const target = { turnId: begin.turnId, turn, attempt: 1, conversation: taken.number, userId: begin.userId };
  const { metadata: _, ...rest } = begin.write;
  appendWrite(sql, target, begin.isNew ? rest : begin.write);
  const { turnId, conversationId } = begin;
  return { outcome: 'begun', lease: { turnId, conversationId, attempt: 1, version: taken.version, runner: runnerId } };
}

const TURN_OF_KEY = `${SELECT_TURN} WHERE t.user_id = ? AND t.agent = ? AND t.idempotency_key = ?`;

/** The turn of the key. An expired key is cleared, so that it can be used again. */
function takeKnownTurn(sql: Sql, { userId, agent, idempotencyKey, now }: EncodedBegin): TurnRow | undefined {
  if (idempotencyKey === undefined) return undefined;
  const turn = sql.one<TurnRow>(TURN_OF_KEY, userId, agent, idempotencyKey);
  if (!turn || !isKeyExpired(turn, now)) return turn;
  sql.run('UPDATE turns SET idempotency_key = NULL, request_hash = NULL WHERE number = ?', turn.number);
  return undefined;
}

type Taken = Place | Extract<Begun, { outcome: 'busy' | 'missing' }>;

const INSERT_CONVERSATION = `INSERT INTO conversations
  (id, user_id, agent, thread_id, created_at, last_updated, last_activity, message_count, metadata, version, parent)
  VALUES (?, ?, ?, ?, ?5, ?5, ?5, 0, ?6, 1, ?7) ON CONFLICT DO NOTHING RETURNING number, version, head`;
const NEWEST_OF_RIVAL = `${SELECT_TURN} WHERE c.user_id = ? AND c.agent = ? AND (c.id = ? OR c.thread_id = ?)
  ORDER BY t.number DESC LIMIT 1`;

/** If another request has just created this conversation or thread, its turn makes this one busy. */
function makeConversation(sql: Sql, begin: EncodedBegin): Taken {
  const { conversationId, userId, agent, threadId, now, write } = begin;
  const thread = threadId ?? null;
  const made = sql.one<Place>(
    INSERT_CONVERSATION,
    ...[conversationId, userId, agent, thread, now, JSON.stringify(write.metadata ?? {}), findParent(sql, begin)],
  );
  if (made) return made;
  const rival = sql.one<TurnRow>(NEWEST_OF_RIVAL, userId, agent, conversationId, thread);
  return rival ? { outcome: 'busy', turn: toStoredTurn(rival) } : { outcome: 'missing' };
}

const RUNNING = "SELECT number FROM turns WHERE id = ? AND user_id = ? AND attempt = ? AND status = 'running'";

/** The turn that a child belongs to. An attempt that another one has replaced begins no child. */
function findParent(sql: Sql, { child, userId }: EncodedBegin): number | null {
  const above = child && sql.one<{ number: number }>(RUNNING, child.turnId, userId, child.attempt);
  if (child && !above) throw takenOver();
  return above?.number ?? null;
}

const FIND_CONVERSATION = 'SELECT number, version, head FROM conversations WHERE id = ? AND user_id = ? AND agent = ?';
/** All open turns count, because an older turn may have been continued. */
const OPEN_TURN = `${SELECT_TURN} WHERE t.conversation = ? AND t.status IN ('running', 'waiting') ORDER BY t.number DESC LIMIT 1`;

function takeConversation(sql: Sql, begin: EncodedBegin): Taken {
  const { conversationId, userId, agent, now } = begin;
  const found = sql.one<Place>(FIND_CONVERSATION, conversationId, userId, agent);
  if (!found) return { outcome: 'missing' };
  const open = sql.one<TurnRow>(OPEN_TURN, found.number);
  if (open) return { outcome: 'busy', turn: toStoredTurn(open) };
  const place = begin.replaces ? moveToSibling(sql, found, begin.replaces) : refuseKnownMessage(sql, found, begin);
  if ('outcome' in place) return place;
  raiseVersion(sql, found.number, now);
  return { ...place, version: found.version + 1 };
}

const TURN_OF_MESSAGE = `${SELECT_TURN} JOIN messages m ON m.conversation = c.number AND m.turn = t.number
  WHERE m.conversation = ? AND m.client_id = ? ORDER BY t.number DESC LIMIT 1`;

/** A message is added once: if another request added it meanwhile, this one is busy. */
function refuseKnownMessage(sql: Sql, found: Place, { write }: EncodedBegin): Taken {
  const [message] = write.messages;
  if (!message?.clientId || message.clientId === message.id) return found;
  const known = sql.one<TurnRow>(TURN_OF_MESSAGE, found.number, message.clientId);
  return known ? { outcome: 'busy', turn: toStoredTurn(known) } : found;
}

/** Adds earlier messages as ended turns that no process ran. */
function appendSeed(sql: Sql, begin: EncodedBegin, place: Place): Place {
  const { userId, agent, now } = begin;
  return begin.seed.reduce((before, { turnId, messages }) => {
    const by = { place: before, runnerId: '', status: 'completed', attempt: 0 };
    const turn = insertTurn(sql, { turnId, userId, agent, now }, by);
    appendMessages(sql, { conversation: place.number, turn }, messages);
    return { ...before, head: turn };
  }, place);
}

const INSERT_TURN = `INSERT INTO turns
  (id, conversation, user_id, agent, status, attempt, runner_id, idempotency_key, request_hash, created_at, parent,
    replaces, continues, request)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`;
const MOVE_HEAD = 'UPDATE conversations SET head = ? WHERE number = ?';

type NewTurn = Pick<
  EncodedBegin,
  'turnId' | 'userId' | 'agent' | 'idempotencyKey' | 'requestHash' | 'continues' | 'now'
>;

/** Adds the turn as the new head. */
function insertTurn(
  sql: Sql,
  { turnId, userId, agent, idempotencyKey, requestHash, continues, now }: NewTurn,
  by: { place: Place; runnerId: string; status: string; attempt: number },
): number {
  const { place, runnerId, status, attempt } = by;
  const row = sql.one<{ number: number }>(
    INSERT_TURN,
    ...[turnId, place.number, userId, agent, status, attempt, runnerId],
    ...[idempotencyKey ?? null, requestHash ?? null, now, place.head, place.replaces ?? null],
    ...[Number(continues !== undefined), continues ? JSON.stringify(continues) : null],
  );
  if (!row) throw new Error('the turn was not inserted');
  sql.run(MOVE_HEAD, row.number, place.number);
  return row.number;
}

/** A conversation about to get a turn; `head` is the number of the turn that the new one follows. */
interface Place {
  number: number;
  version: number;
  head: number | null;
  replaces?: number;
}

const REPLACED = 'SELECT number, parent FROM turns WHERE id = ? AND conversation = ?';
const HEAD = `${SELECT_TURN} WHERE t.number = ?`;

/** Cuts the path before the replaced turn, so that the new turn becomes its sibling. */
function moveToSibling(
  sql: Sql,
  place: Place,
  replaces: NonNullable<BeginTurn['replaces']>,
): Place | Extract<Begun, { outcome: 'busy' | 'missing' }> {
  const replaced = sql.one<{ number: number; parent: number | null }>(REPLACED, replaces.turnId, place.number);
  const head = sql.one<TurnRow>(HEAD, place.head);
  if (!replaced || !head) return { outcome: 'missing' };
  if (head.id !== replaces.head) return { outcome: 'busy', turn: toStoredTurn(head) };
  activatePath(sql, place.number, replaced.parent);
  return { ...place, head: replaced.parent, replaces: replaced.number };
}

const ACTIVATE = `WITH RECURSIVE path (number, parent) AS (
    SELECT number, parent FROM turns WHERE number = ?1
    UNION ALL SELECT t.number, t.parent FROM turns t JOIN path p ON t.number = p.parent)
  UPDATE turns SET active = number IN (SELECT number FROM path)
  WHERE conversation = ?2 AND active <> (number IN (SELECT number FROM path))`;
const COUNT = `UPDATE conversations SET message_count = (SELECT count(*) FROM messages m
    JOIN turns t ON t.number = m.turn
    WHERE m.conversation = ?1 AND m.is_text = 1 AND t.active = 1)
  WHERE number = ?1`;

function activatePath(sql: Sql, conversation: number, end: number | null): void {
  sql.run(ACTIVATE, end, conversation);
  sql.run(COUNT, conversation);
}

const RAISE = `UPDATE conversations
  SET version = version + 1, last_activity = max(last_activity, ?) WHERE number = ?`;

/** Invalidates every earlier lease, because a new request has taken the conversation. */
export function raiseVersion(sql: Sql, conversation: number, at: string): void {
  sql.run(RAISE, at, conversation);
}

export type EncodedConversation = Omit<NewConversation, 'turns'> & {
  userId: string;
  turns: (Pick<EncodedWrite, 'messages' | 'attachments'> & { turnId: string; createdAt: string })[];
};

const INSERT = `INSERT INTO conversations
  (id, user_id, agent, created_at, last_updated, last_activity, message_count, metadata, version)
  VALUES (?, ?, ?, ?4, ?4, ?4, 0, ?, 1) RETURNING number`;

export function addConversation(sql: Sql, made: EncodedConversation): void {
  const { userId, agent, conversationId, metadata, now } = made;
  const row = sql.one<{ number: number }>(INSERT, conversationId, userId, agent, now, JSON.stringify(metadata));
  if (!row) throw new Error('the conversation was not inserted');
  let head: number | null = null;
  for (const { turnId, createdAt, messages, attachments } of made.turns) {
    const place = { number: row.number, version: 1, head };
    const by = { place, runnerId: '', status: 'completed', attempt: 0 };
    const turn = insertTurn(sql, { turnId, userId, agent, now: createdAt }, by);
    appendMessages(sql, { conversation: row.number, turn }, messages);
    appendAttachments(sql, { conversation: row.number, turn }, attachments);
    head = turn;
  }
}
