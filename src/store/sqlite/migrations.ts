/**
 * The tables of `holodeck.db`. `number` is the order of creation; ids are what callers know. Events and messages are
 * stored in the order of writing, with an index, not clustered by turn: a group of commits then touches few pages. The
 * audit outlives its conversations, so it has no references.
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

/** Texts of attached files, separate from the data that every turn reads. */
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

/** Marks the messages that count: texts of user and assistant, not replies that only call tools. */
const TEXTS = `
ALTER TABLE messages ADD COLUMN is_text INTEGER NOT NULL DEFAULT 0;
UPDATE messages SET is_text = 1 WHERE role = 'user'
  OR (role = 'assistant' AND trim(body ->> '$.content', char(9, 10, 11, 12, 13, 32, 160)) <> '');
UPDATE conversations SET message_count =
  (SELECT count(*) FROM messages WHERE conversation = conversations.number AND is_text = 1);
`;

/**
 * A conversation becomes a tree of turns. `parent` is the number of the previous turn, `head` the end of the path that
 * is shown and sent to the model; `active` marks the turns of that path. `client_id` is the message id that clients
 * know. `result` outlives the events; `continues` and `request` are for a server that takes over a turn. Keys start
 * with their front's name; those without one belonged to REST. `accepted_tools` holds a fingerprint per tool of a
 * server; an empty user_id is a connection shared by all users.
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

/** The end of a turn outlives its events, and so does the feedback on its answer. */
const FEEDBACK = `
ALTER TABLE turns ADD COLUMN ended_at TEXT;
UPDATE turns SET ended_at = (SELECT body ->> '$.at' FROM events
  WHERE turn = turns.number AND type = 'turn-end' ORDER BY attempt DESC, seq DESC LIMIT 1);

CREATE TABLE feedback (
  conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (conversation, message_id)
) STRICT, WITHOUT ROWID;
`;

/**
 * The user's own title and mark of a conversation, and an index of texts. The index is written when somebody searches:
 * `indexed` is the position of the last message in it. It holds folded words only; a row is number * 2^20 + position.
 */
const SEARCH = `
ALTER TABLE conversations ADD COLUMN title TEXT;
ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
CREATE TRIGGER search_forgets AFTER DELETE ON conversations BEGIN
  DELETE FROM search WHERE rowid BETWEEN old.number * 1048576 AND old.number * 1048576 + 1048575;
END;
`;

/** Requests for turns that another process runs; each is taken once. */
const REQUESTS = `
CREATE TABLE requests (
  number INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL REFERENCES turns (number) ON DELETE CASCADE,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX requests_by_turn ON requests (turn);
CREATE INDEX turns_to_continue ON turns (number) WHERE continues = 1 AND status = 'interrupted';
`;

/** Sealed values, such as logins to tool servers; an empty user_id is the program itself. */
const SECRETS = `
CREATE TABLE secrets (
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX secrets_by_end ON secrets (expires_at) WHERE expires_at IS NOT NULL;
`;

/** Costs of model calls by day, in millionths of a dollar; the row without a user is the sum of all. */
const SPENDING = `
CREATE TABLE spending (
  agent TEXT NOT NULL,
  day TEXT NOT NULL,
  user_id TEXT NOT NULL,
  micros INTEGER NOT NULL,
  PRIMARY KEY (agent, day, user_id)
) STRICT, WITHOUT ROWID;
`;

/** The conversations in which members of a team work for a turn. */
const CHILDREN = `
ALTER TABLE conversations ADD COLUMN parent INTEGER REFERENCES turns (number) ON DELETE CASCADE;
CREATE INDEX conversations_of_turn ON conversations (parent) WHERE parent IS NOT NULL;
`;

export const MIGRATIONS: readonly string[] = [
  FIRST,
  ATTACHMENTS,
  TEXTS,
  TREE,
  FEEDBACK,
  SEARCH,
  REQUESTS,
  SECRETS,
  SPENDING,
  CHILDREN,
];
