import { CALL_THREAD, type Conversation } from '../../schema/conversation/conversation.ts';
import { type ConversationRow, type ListedRow, toConversation, toListed } from '../rows.ts';
import type { AttachmentStart, AuditRecord, Store } from '../store.ts';
import type { Query, Value } from './query.ts';

type ConversationReads = Pick<
  Store,
  | 'readConversation'
  | 'readThread'
  | 'readNewestThread'
  | 'listConversations'
  | 'countActive'
  | 'readAttachments'
  | 'readAttachmentText'
  | 'readAudit'
  | 'readAcceptedTools'
>;

const BY_ID = 'SELECT * FROM conversations WHERE id = $1 AND user_id = $2';
const THREAD = 'SELECT * FROM conversations WHERE user_id = $1 AND agent = $2 AND thread_id = $3';
const NEWEST_THREAD = `SELECT * FROM conversations WHERE user_id = $1 AND agent = $2
  AND substr(thread_id, 1, length(CAST($3 AS text))) = $3 ORDER BY number DESC LIMIT 1`;
const NO_CALL = `parent IS NULL AND substr(coalesce(thread_id, ''), 1, ${CALL_THREAD.length}) <> '${CALL_THREAD}'`;
const OWN = `SELECT *,
    (SELECT status FROM turns WHERE conversation = conversations.number ORDER BY number DESC LIMIT 1) AS status
  FROM conversations WHERE user_id = $1 AND (CAST($2 AS text) IS NULL OR agent = $2) AND ${NO_CALL}`;
const NEWEST_FIRST = 'ORDER BY last_activity DESC, number DESC LIMIT $3';
const BEFORE = `AND (last_activity, number) <
  (SELECT last_activity, number FROM conversations WHERE id = $4 AND user_id = $1)`;
const ACTIVE = `SELECT CAST(count(*) AS integer) AS count FROM conversations
  WHERE agent = $1 AND last_activity >= $2 AND ${NO_CALL}`;

const ATTACHED = `FROM attachments a JOIN conversations c ON c.number = a.conversation
  JOIN turns t ON t.number = a.turn AND t.active = 1 WHERE c.id = $1 AND c.user_id = $2 ORDER BY a.number`;
const ATTACHMENTS = `SELECT a.message_id, a.body, substr(a.text, 1, CAST($3 AS integer)) AS text ${ATTACHED}`;
const ATTACHMENT_TEXT = `SELECT a.text ${ATTACHED} LIMIT 1 OFFSET $3`;
/** The largest integer of the databases' own string functions. */
const MAX_CHARS = 2 ** 31 - 1;

const AUDIT = 'SELECT number, body FROM audit WHERE user_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3';
const ACCEPTED = 'SELECT tool, fingerprint FROM accepted_tools WHERE agent = $1 AND server = $2 AND user_id = $3';

export function readConversationsFrom(query: Query): ConversationReads {
  const find = async (text: string, ...values: Value[]): Promise<Conversation | undefined> => {
    const row = await query.one<ConversationRow>(text, ...values);
    return row && toConversation(row);
  };
  return {
    readConversation: (user, id) => find(BY_ID, id, user.id),
    readThread: (user, agent, threadId) => find(THREAD, user.id, agent, threadId),
    readNewestThread: (user, agent, prefix) => find(NEWEST_THREAD, user.id, agent, prefix),
    async listConversations(user, { agent = null, limit, before }) {
      const rows =
        before === undefined
          ? await query.all<ListedRow>(`${OWN} ${NEWEST_FIRST}`, user.id, agent, limit)
          : await query.all<ListedRow>(`${OWN} ${BEFORE} ${NEWEST_FIRST}`, user.id, agent, limit, before);
      return rows.map(toListed);
    },
    async countActive(agent, since) {
      return (await query.one<{ count: number }>(ACTIVE, agent, since))?.count ?? 0;
    },
    async readAttachments(user, conversationId, { maxChars }) {
      const values = [conversationId, user.id, Math.min(maxChars, MAX_CHARS)];
      const rows = await query.all<{ message_id: string; body: string; text: string }>(ATTACHMENTS, ...values);
      return rows.map(({ message_id, body, text }) => ({
        message_id,
        // The databases count code points, which are never more than JavaScript's characters.
        text: text.slice(0, maxChars),
        ...(JSON.parse(body) as Omit<AttachmentStart, 'message_id' | 'text'>), // as encodeAttachment wrote it
      }));
    },
    async readAttachmentText(user, conversationId, index) {
      return (await query.one<{ text: string }>(ATTACHMENT_TEXT, conversationId, user.id, index))?.text;
    },
    async readAudit(user, { limit, before }) {
      const end = before === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(before, 10) || 0;
      return (await query.all<{ number: number; body: string }>(AUDIT, user.id, end, limit)).map((row) => {
        const record: AuditRecord = JSON.parse(row.body);
        return { id: String(row.number), ...record };
      });
    },
    async readAcceptedTools(user, { agent, server }) {
      const rows = await query.all<{ tool: string; fingerprint: string }>(ACCEPTED, agent, server, user?.id ?? '');
      if (rows.length === 0) return undefined;
      // A row without a tool marks the list itself, so that an accepted empty list differs from an unknown server.
      return Object.fromEntries(rows.flatMap(({ tool, fingerprint }) => (tool === '' ? [] : [[tool, fingerprint]])));
    },
  };
}
