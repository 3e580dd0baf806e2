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

/**
 * A conversation becomes a tree of turns. `parent` is the number of the turn before it, `head` the end of the path
 * that is shown and sent to the model; `active` marks the turns of that path. `client_id` is the message id that
 * clients know. `result` outlives the events; `continues` and `request` are for a server that takes a turn over. Keys
 * carry their front; those without one were REST's. `accepted_tools` holds a fingerprint per tool of a server; an empty
 * user_id is a connection of all users.
 */
const TREE = `
ALTER TABLE turns ADD COLUMN parent INTEGER;
ALTER TABLE turns ADD COLUMN replaces INTEGER;
ALTER TABLE turns ADD COLUMN active INTEGER NOT NULL DEFAULT 1;
ALTER TABLE turns ADD COLUMN continues INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN request TEXT;
ALTER TABLE turns ADD COLUMN result TEXT;
ALTER TABLE conversations ADD COLUMN head INTEGER;
ALTER TABLE messages ADD COLUMN client_id TEXT;
ALTER TABLE attachments ADD COLUMN turn INTEGER;
UPDATE turns SET parent = (SELECT max(earlier.number) FROM turns earlier
  WHERE earlier.conversation = turns.conversation AND earlier.number < turns.number);
UPDATE turns SET result = (SELECT json_remove(body -> '$.result', '$.messages') FROM events
  WHERE turn = turns.number AND type = 'turn-end' ORDER BY attempt DESC, seq DESC LIMIT 1);
UPDATE conversations SET head = (SELECT max(number) FROM turns WHERE conversation = conversations.number);
UPDATE messages SET client_id = id WHERE role = 'user';
CREATE INDEX messages_by_client_id ON messages (conversation, client_id) WHERE client_id IS NOT NULL;
UPDATE attachments SET turn = (SELECT turn FROM messages
  WHERE conversation = attachments.conversation AND client_id = attachments.message_id);
UPDATE turns SET idempotency_key = 'rest:' || idempotency_key WHERE idempotency_key NOT LIKE 'ag-ui:%';
UPDATE events SET body = json_set(body, '$.key', 'rest:' || (body ->> '$.key'))
  WHERE type = 'turn-resume' AND body ->> '$.key' NOT LIKE 'ag-ui:%';

CREATE INDEX turns_open ON turns (conversation) WHERE status IN ('running', 'waiting');

CREATE TABLE accepted_tools (
  agent TEXT NOT NULL,
  server TEXT NOT NULL,
  user_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (agent, server, user_id, tool)
) STRICT, WITHOUT ROWID;
`;

export const MIGRATIONS: readonly string[] = [FIRST, ATTACHMENTS, TEXTS, TREE];
