import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DocumentState, Groups, KnowledgeStatus } from '../knowledge.ts';
import type { OpenFile } from './index-file.ts';
import { readAtOnce } from './open-index.ts';
import type { Visibility } from './visible.ts';

/** The documents with their states, by path; only those that the user may see. */
export function readStatus({ database, visibility }: OpenFile, groups: Groups): KnowledgeStatus {
  return readAtOnce(database, () => readInTransaction(database, visibility.condition(groups)));
}

/** The state of an index without changing anything; undefined if there is none that was built and can be read. */
export function peekStatus(path: string): KnowledgeStatus | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true, open: false });
  try {
    database.open();
    const status = readInTransaction(database, undefined);
    return status.builtAt === undefined ? undefined : status;
  } catch {
    return undefined;
  } finally {
    if (database.isOpen) database.close();
  }
}

function readInTransaction(database: DatabaseSync, visible: ReturnType<Visibility['condition']>): KnowledgeStatus {
  const rows = database
    .prepare(
      `SELECT * FROM (SELECT id AS document, * FROM documents) ${visible ? `WHERE ${visible.sql}` : ''} ORDER BY path`,
    )
    .all(...(visible ? [visible.parameter] : []));
  const documents = rows.map(toState);
  const settings = database.prepare('SELECT key, value FROM meta').all();
  const meta = new Map(settings.map(({ key, value }) => [key, value]));
  const builtAt = meta.get('built_at');
  return {
    documents,
    passages: documents.reduce((sum, { passages }) => sum + passages, 0),
    // Remarks name files, which a user of some groups may not know.
    remarks: visible ? [] : [...JSON.parse(String(meta.get('remarks') ?? '[]')), ...[meta.get('vectors') ?? []].flat()],
    ...(builtAt !== undefined && { builtAt: String(builtAt) }),
  };
}

function toState(row: Record<string, unknown>): DocumentState {
  return {
    document: String(row.path),
    title: String(row.title),
    // The column is written from the same type.
    state: row.state as DocumentState['state'],
    ...(row.reason !== null && { reason: String(row.reason) }),
    version: String(row.version),
    passages: Number(row.passages),
    readAt: String(row.read_at),
  };
}
