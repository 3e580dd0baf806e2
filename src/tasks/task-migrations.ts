/** SQL of each version of a SQLite task database; entries are only ever appended. */
export const TASK_MIGRATIONS = [
  `CREATE TABLE tasks (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     title TEXT NOT NULL,
     description TEXT,
     due_date TEXT,
     is_completed INTEGER NOT NULL DEFAULT 0,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     completed_at TEXT
   ) STRICT;
   CREATE INDEX tasks_by_user ON tasks (user_id, seq);
   CREATE TABLE task_calls (
     user_id TEXT NOT NULL,
     call_id TEXT NOT NULL,
     request TEXT NOT NULL,
     answer TEXT NOT NULL,
     at TEXT NOT NULL,
     PRIMARY KEY (user_id, call_id)
   ) STRICT, WITHOUT ROWID;`,
  // `before` is NULL for a new task; `undoes` names the batch that the change took back.
  `ALTER TABLE tasks ADD COLUMN deleted_at TEXT;
   CREATE TABLE task_history (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     user_id TEXT NOT NULL,
     batch TEXT NOT NULL,
     conversation TEXT NOT NULL,
     task_id TEXT NOT NULL,
     before TEXT,
     after TEXT NOT NULL,
     undoes TEXT,
     at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX task_history_by_batch ON task_history (user_id, batch, seq);
   CREATE INDEX task_history_by_conversation ON task_history (user_id, conversation, seq);
   CREATE INDEX task_history_by_task ON task_history (task_id);
   CREATE INDEX task_history_by_age ON task_history (at);
   CREATE INDEX tasks_by_deletion ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;`,
  // Everything due until `seen_until` was reported to the user.
  `CREATE TABLE task_reminders (user_id TEXT PRIMARY KEY, seen_until TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
];
