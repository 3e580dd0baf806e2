import { SERVER_KEYS } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { foldWords } from '../../search-text.ts';
import type { AcceptedTools, ConversationChanges, ToolServer } from '../../store.ts';
import type { Runner } from '../runner-lock.ts';
import type { Sql } from '../sql.ts';
import { addConversation, beginTurn, type EncodedBegin } from './begin-turn.ts';
import { indexTexts, searchRow, TITLE_POSITION } from './index-texts.ts';
import { interruptLeased, recover } from './interrupt-turn.ts';
import { takeSecret, writeSecret } from './secrets.ts';
import { reserveCost, settleCost } from './spending.ts';
import { requestTurn, takeRequests } from './turn-requests.ts';
import { continueTurn, type EncodedContinue, setFeedback, writeTurn } from './write-turn.ts';

/** Every operation that changes the store, inside the caller's transaction. */
const OPERATIONS = {
  beginTurn: (sql: Sql, input: EncodedBegin, { runnerId }: Runner) => beginTurn(sql, input, runnerId),
  continueTurn: (sql: Sql, input: EncodedContinue, { runnerId }: Runner) => continueTurn(sql, input, runnerId),
  writeTurn,
  interruptTurn: interruptLeased,
  deleteConversation,
  touchConversation,
  addAudit,
  addConversation,
  setFeedback,
  updateConversation,
  indexTexts,
  acceptTools,
  writeSecret,
  takeSecret,
  reserveCost,
  settleCost,
  requestTurn,
  takeRequests,
  tryWrite,
  recover,
};

type Table = typeof OPERATIONS;
export type OperationName = keyof Table;
/** The input and the output of each operation. */
export type Operations = {
  [Name in OperationName]: { input: Parameters<Table[Name]>[1]; output: ReturnType<Table[Name]> };
};
export type Operation = { [Name in OperationName]: { name: Name; input: Operations[Name]['input'] } }[OperationName];

export function runOperation(sql: Sql, { name, input }: Operation, runner: Runner): unknown {
  // The cast is safe: a name comes with its own input.
  const run = OPERATIONS[name] as (sql: Sql, input: Operation['input'], runner: Runner) => unknown;
  return run(sql, input, runner);
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
