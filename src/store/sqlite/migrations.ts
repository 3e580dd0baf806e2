/**
 * The tables of `holodeck.db`. `number` is the order in which rows were made; ids are what the outside knows.
 * Events and messages are kept in the order of writing, with an index, not clustered by turn: a group of commits then
 * touches few pages. The audit outlives what it tells about, so it refers to nothing.
 */
const FIRST = `
CREATE TABLE conversations (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  thread_id TEXT,
  created_at TEXT NOT NULL,
  last_updated TEXT NOT NULL,
  last_activity TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX conversations_by_thread ON conversations (user_id, agent, thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX conversations_by_activity ON conversations (user_id, last_activity, number);

CREATE TABLE turns (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  runner_id TEXT NOT NULL,
  idempotency_key TEXT,
  request_hash TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX turns_by_conversation ON turns (conversation, number);
CREATE UNIQUE INDEX turns_by_key ON turns (user_id, agent, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_running ON turns (runner_id) WHERE status = 'running';

CREATE TABLE events (
  turn INTEGER NOT NULL REFERENCES turns (number) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  text_offset INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (turn, attempt, seq, text_offset)
) STRICT;

CREATE TABLE messages (
  conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  turn INTEGER NOT NULL,
  role TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (conversation, position)
) STRICT;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_user ON audit (user_id, number);
`;

/** Texts of attached files, apart from what is read with every turn. */
const ATTACHMENTS = `
CREATE TABLE attachments (
  number INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX attachments_by_conversation ON attachments (conversation, number);
`;

/** Which messages count: the words of user and assistant, not the replies that only call tools. */
const TEXTS = `
ALTER TABLE messages ADD COLUMN is_text INTEGER NOT NULL DEFAULT 0;
UPDATE messages SET is_text = 1 WHERE role = 'user'
  OR (role = 'assistant' AND trim(body ->> '$.content', char(9, 10, 11, 12, 13, 32, 160)) <> '');
UPDATE conversations SET message_count =
  (SELECT count(*) FROM messages WHERE conversation = conversations.number AND is_text = 1);
`;

export const MIGRATIONS: readonly string[] = [FIRST, ATTACHMENTS, TEXTS];
