import { FUNCTIONS } from './functions.ts';
import { RESERVE_COST } from './spending.ts';

/**
 * The tables of a shared database. They match those of SQLite; `month` is the month of a turn's begin by the database's
 * clock, so that all events of a turn lie in one partition. Events have no foreign key, because it would lock a row per
 * event. `one_open_turn` makes one turn at a time a constraint.
 */
const FIRST = `
CREATE TABLE runners (
  id text PRIMARY KEY,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

CREATE TABLE conversations (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  user_id text NOT NULL,
  agent text NOT NULL,
  thread_id text,
  created_at text COLLATE "C" NOT NULL,
  last_updated text COLLATE "C" NOT NULL,
  last_activity text COLLATE "C" NOT NULL,
  message_count integer NOT NULL,
  metadata text NOT NULL,
  version integer NOT NULL,
  head bigint,
  title text,
  pinned integer NOT NULL DEFAULT 0,
  indexed integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX conversations_by_thread ON conversations (user_id, agent, thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX conversations_by_activity ON conversations (user_id, last_activity, number);
CREATE INDEX conversations_of_agent ON conversations (agent, last_activity);

CREATE TABLE turns (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  conversation bigint NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  user_id text NOT NULL,
  agent text NOT NULL,
  status text NOT NULL,
  attempt integer NOT NULL,
  runner_id text NOT NULL,
  idempotency_key text,
  request_hash text,
  created_at text COLLATE "C" NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  ended_at text,
  parent bigint,
  replaces bigint,
  active integer NOT NULL DEFAULT 1,
  continues integer NOT NULL DEFAULT 0,
  request text,
  result text,
  month integer NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX turns_by_conversation ON turns (conversation, number);
CREATE UNIQUE INDEX turns_by_key ON turns (user_id, agent, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_running ON turns (runner_id) WHERE status = 'running';
CREATE INDEX turns_of_user ON turns (user_id) WHERE status = 'running';
CREATE INDEX turns_by_begin ON turns (user_id, began_at);
CREATE INDEX turns_to_continue ON turns (number) WHERE continues = 1 AND status = 'interrupted';
CREATE UNIQUE INDEX one_open_turn ON turns (conversation) WHERE status IN ('running', 'waiting');

CREATE TABLE events (
  turn bigint NOT NULL,
  month integer NOT NULL,
  attempt integer NOT NULL,
  seq integer NOT NULL,
  text_offset bigint NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  UNIQUE (turn, attempt, seq, text_offset, month)
) PARTITION BY RANGE (month);
CREATE TABLE events_other PARTITION OF events DEFAULT;

CREATE TABLE messages (
  conversation bigint NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  position integer NOT NULL,
  id text NOT NULL,
  turn bigint NOT NULL,
  role text NOT NULL,
  is_text integer NOT NULL,
  client_id text,
  body text NOT NULL,
  UNIQUE (conversation, position)
);
CREATE INDEX messages_by_client_id ON messages (conversation, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE attachments (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation bigint NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  turn bigint NOT NULL,
  message_id text NOT NULL,
  body text NOT NULL,
  text text NOT NULL
);
CREATE INDEX attachments_by_conversation ON attachments (conversation, number);

CREATE TABLE audit (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  body text NOT NULL
);
CREATE INDEX audit_by_user ON audit (user_id, number);

CREATE TABLE feedback (
  conversation bigint NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  message_id text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (conversation, message_id)
);

CREATE TABLE accepted_tools (
  agent text NOT NULL,
  server text NOT NULL,
  user_id text NOT NULL,
  tool text NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (agent, server, user_id, tool)
);

CREATE TABLE requests (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  turn bigint NOT NULL REFERENCES turns (number) ON DELETE CASCADE,
  body text NOT NULL
);
CREATE INDEX requests_by_turn ON requests (turn);

CREATE TABLE search (
  conversation bigint NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,
  position integer NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (conversation, position)
);
CREATE INDEX search_words ON search USING gin (words);
`;

/** The tables of the task store (`src/tasks`), in the same database so that one backup holds everything. */
const TASKS = `
CREATE TABLE tasks (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  user_id text NOT NULL,
  title text NOT NULL,
  description text,
  due_date text COLLATE "C",
  is_completed integer NOT NULL DEFAULT 0,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  completed_at text,
  deleted_at text COLLATE "C"
);
CREATE INDEX tasks_by_user ON tasks (user_id, seq);
CREATE INDEX tasks_by_deletion ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE task_calls (
  user_id text NOT NULL,
  call_id text NOT NULL,
  request text NOT NULL,
  answer text NOT NULL,
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, call_id)
);
CREATE TABLE task_history (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  batch text NOT NULL,
  conversation text NOT NULL,
  task_id text NOT NULL,
  before text,
  after text NOT NULL,
  undoes text,
  at text COLLATE "C" NOT NULL
);
CREATE INDEX task_history_by_batch ON task_history (user_id, batch, seq);
CREATE INDEX task_history_by_conversation ON task_history (user_id, conversation, seq);
CREATE INDEX task_history_by_task ON task_history (task_id);
CREATE INDEX task_history_by_age ON task_history (at);
-- Everything due until seen_until was reported to the user.
CREATE TABLE task_reminders (user_id text PRIMARY KEY, seen_until text COLLATE "C" NOT NULL);
`;

/** Sealed values, such as logins to tool servers; an empty user_id is the program itself. */
const SECRETS = `
CREATE TABLE secrets (
  user_id text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  expires_at text COLLATE "C",
  PRIMARY KEY (user_id, name)
);
CREATE INDEX secrets_by_end ON secrets (expires_at) WHERE expires_at IS NOT NULL;
`;

/** The conversations in which members of a team work for a turn, and the deletion of events with their turn. */
const CHILDREN = `
ALTER TABLE conversations ADD COLUMN parent bigint REFERENCES turns (number) ON DELETE CASCADE;
CREATE INDEX conversations_of_turn ON conversations (parent) WHERE parent IS NOT NULL;
${FUNCTIONS}
CREATE TRIGGER turns_forget_events AFTER DELETE ON turns REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION holodeck_forget_events();
`;
/** This version held functions, which the newest one makes. */
const ONLY_FUNCTIONS = 'SELECT 1';

/** Entries are only ever appended, and only add: an older server works beside a newer one. */
export const MIGRATIONS: readonly string[] = [FIRST, TASKS, SECRETS, ONLY_FUNCTIONS, RESERVE_COST, CHILDREN];
