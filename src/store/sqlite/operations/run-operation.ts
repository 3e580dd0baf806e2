import { SERVER_KEYS } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { foldWords } from '../../search-text.ts';
import type { SecretWrite } from '../../secrets.ts';
import type { TakenRequest } from '../../shared.ts';
import type { Reservation, SpendingDay } from '../../spending.ts';
import type { AcceptedTools, Begun, ConversationChanges, RecoveredTurn, ToolServer, TurnLease } from '../../store.ts';
import type { Runner } from '../runner-lock.ts';
import type { Sql } from '../sql.ts';
import { addConversation, beginTurn, type EncodedBegin, type EncodedConversation } from './begin-turn.ts';
import { type IndexTexts, indexTexts, searchRow, TITLE_POSITION } from './index-texts.ts';
import { interruptLeased, type LeasedTurn, recover } from './interrupt-turn.ts';
import { type OwnSecret, takeSecret, writeSecret } from './secrets.ts';
import { reserveCost, settleCost } from './spending.ts';
import { type NewRequest, requestTurn, takeRequests } from './turn-requests.ts';
import {
  continueTurn,
  type EncodedContinue,
  type EncodedTurnWrite,
  type GivenFeedback,
  setFeedback,
  writeTurn,
} from './write-turn.ts';

/** Every operation that changes the store, with its input and output. */
export interface Operations {
  beginTurn: { input: EncodedBegin; output: Begun };
  continueTurn: { input: EncodedContinue; output: TurnLease | undefined };
  writeTurn: { input: EncodedTurnWrite; output: undefined };
  interruptTurn: { input: LeasedTurn & { at: string }; output: undefined };
  deleteConversation: { input: OwnConversation; output: boolean };
  touchConversation: { input: OwnConversation & { at: string }; output: undefined };
  addAudit: { input: AddedAudit; output: undefined };
  addConversation: { input: EncodedConversation; output: undefined };
  setFeedback: { input: GivenFeedback; output: boolean };
  updateConversation: { input: UpdateConversation; output: boolean };
  indexTexts: { input: IndexTexts; output: number };
  acceptTools: { input: AcceptTools; output: undefined };
  writeSecret: { input: OwnSecret & SecretWrite; output: boolean };
  takeSecret: { input: OwnSecret; output: string | undefined };
  reserveCost: { input: Reservation & { userId: string }; output: 'reserved' | 'user' | 'all' };
  settleCost: { input: SpendingDay & { userId: string; micros: number }; output: undefined };
  requestTurn: { input: NewRequest; output: boolean };
  takeRequests: { input: { turnIds: readonly string[] }; output: TakenRequest[] };
  tryWrite: { input: { chars: number }; output: undefined };
  recover: { input: { at: string }; output: RecoveredTurn[] };
}

export type OperationName = keyof Operations;
export type Operation = { [Name in OperationName]: { name: Name; input: Operations[Name]['input'] } }[OperationName];

/** Runs one operation inside the caller's transaction. */
export function runOperation(sql: Sql, operation: Operation, runner: Runner): unknown {
  switch (operation.name) {
    case 'beginTurn':
      return beginTurn(sql, operation.input, runner.runnerId);
    case 'continueTurn':
      return continueTurn(sql, operation.input, runner.runnerId);
    case 'writeTurn':
      return writeTurn(sql, operation.input);
    case 'interruptTurn':
      return interruptLeased(sql, operation.input, runner);
    case 'deleteConversation':
      return deleteConversation(sql, operation.input);
    case 'touchConversation':
      return touchConversation(sql, operation.input);
    case 'addAudit':
      return addAudit(sql, operation.input);
    case 'addConversation':
      return addConversation(sql, operation.input);
    case 'setFeedback':
      return setFeedback(sql, operation.input);
    case 'updateConversation':
      return updateConversation(sql, operation.input);
    case 'indexTexts':
      return indexTexts(sql, operation.input);
    case 'acceptTools':
      return acceptTools(sql, operation.input);
    case 'writeSecret':
      return writeSecret(sql, operation.input);
    case 'takeSecret':
      return takeSecret(sql, operation.input);
    case 'reserveCost':
      return reserveCost(sql, operation.input);
    case 'settleCost':
      return settleCost(sql, operation.input);
    case 'requestTurn':
      return requestTurn(sql, operation.input);
    case 'takeRequests':
      return takeRequests(sql, operation.input);
    case 'tryWrite':
      return tryWrite(sql, operation.input);
    case 'recover':
      return recover(sql, operation.input, runner);
  }
}

interface AddedAudit {
  userId: string;
  bodies: readonly string[];
}

function addAudit(sql: Sql, { userId, bodies }: AddedAudit): void {
  for (const body of bodies) sql.run('INSERT INTO audit (user_id, body) VALUES (?, ?)', userId, body);
}

/** Overwrites a test row of this length, only to check that the disk accepts writes. */
function tryWrite(sql: Sql, { chars }: { chars: number }): undefined {
  sql.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('trial', ?)", 'x'.repeat(chars));
}

interface AcceptTools extends ToolServer {
  userId: string;
  accepted: AcceptedTools;
}

/** A row without a tool marks the list itself, so that an accepted empty list differs from an unknown server. */
const LIST = '';

const INSERT = 'INSERT INTO accepted_tools (agent, server, user_id, tool, fingerprint) VALUES (?, ?, ?, ?, ?)';

/** Replaces the list that was accepted before. */
function acceptTools(sql: Sql, { userId, agent, server, accepted }: AcceptTools): void {
  sql.run('DELETE FROM accepted_tools WHERE agent = ? AND server = ? AND user_id = ?', agent, server, userId);
  for (const [tool, fingerprint] of [[LIST, ''], ...Object.entries(accepted)]) {
    sql.run(INSERT, ...[agent, server, userId, tool ?? LIST, fingerprint ?? '']);
  }
}

interface UpdateConversation {
  userId: string;
  id: string;
  changes: ConversationChanges;
}

const FIND = 'SELECT number FROM conversations WHERE id = ? AND user_id = ?';
const SET_TITLE = 'UPDATE conversations SET title = ? WHERE number = ?';
const SET_PINNED = 'UPDATE conversations SET pinned = ? WHERE number = ?';

/** Changes the user's own title and mark; false when there is no such conversation of this user. */
function updateConversation(sql: Sql, { userId, id, changes }: UpdateConversation): boolean {
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

interface OwnConversation {
  userId: string;
  id: string;
}

/** Deletes a conversation with its turns, events and messages; false if there was none. */
function deleteConversation(sql: Sql, { userId, id }: OwnConversation): boolean {
  return sql.run('DELETE FROM conversations WHERE id = ? AND user_id = ?', id, userId) > 0;
}

const TOUCH = 'UPDATE conversations SET last_activity = max(last_activity, ?) WHERE id = ? AND user_id = ?';

function touchConversation(sql: Sql, { userId, id, at }: OwnConversation & { at: string }): void {
  sql.run(TOUCH, at, id, userId);
}
