import { DatabaseSync } from 'node:sqlite';

export function openDatabase({ path, migrations }: { path: string; migrations: readonly string[] }): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  migrations.slice(version).forEach((sql, index) => {
    db.exec(`BEGIN; ${sql}; PRAGMA user_version = ${version + index + 1}; COMMIT`);
  });
  return db;
}
