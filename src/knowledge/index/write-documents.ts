import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Cut } from '../cut/cut-text.ts';
import type { DocumentState } from '../knowledge.ts';
import { toTerms } from './terms.ts';

/** A document that was read, ready to be stored. */
export interface ReadDocument extends Omit<DocumentState, 'document' | 'passages'> {
  path: string;
  places: string;
  stamp: string;
  text: string;
  cuts: readonly Cut[];
}

export type IndexWriter = ReturnType<typeof createWriter>;

export function createWriter(database: DatabaseSync) {
  const sql = prepare(database);

  const remove = (path: string) => {
    const found = sql.find.get(path);
    if (!found) return;
    for (const row of sql.passages.all(found.id as number)) {
      const [above, between] = [joinTerms(String(found.title)), joinTerms(String(row.headings))];
      sql.unindex.run(row.id as number, above, between, row.terms as string);
    }
    sql.removePassages.run(found.id as number);
    sql.removeDocument.run(found.id as number);
  };
  const add = (document: ReadDocument) => {
    const { path, places, title, version, stamp, state, reason = null, readAt, cuts, text } = document;
    const added = sql.addDocument.run(path, places, title, version, stamp, state, reason, cuts.length, readAt);
    for (const cut of cuts) {
      const headings = cut.headings.join('\n');
      const part = text.slice(cut.start, cut.end);
      const { start, end, page = null } = cut;
      const breadcrumb = JSON.stringify(cut.breadcrumb);
      const [above, between, terms] = [joinTerms(title), joinTerms(headings), joinTerms(part)];
      const hash = createHash('sha256').update([title, headings, part].join('\0')).digest('hex').slice(0, 32);
      const own = [start, end, page, breadcrumb, headings, part, terms, hash];
      const passage = sql.addPassage.run(added.lastInsertRowid, ...own);
      sql.index.run(passage.lastInsertRowid, above, between, terms);
    }
  };

  return {
    /** Replaces documents with the same path, and removes others, in one transaction. */
    write(documents: readonly ReadDocument[], removed: readonly string[] = []) {
      inTransaction(database, () => {
        for (const path of [...removed, ...documents.map((document) => document.path)]) remove(path);
        for (const document of documents) add(document);
      });
    },
    /** Notes that files are as they were, with new times. */
    touch(stamps: ReadonlyMap<string, { stamp: string; places: string }>) {
      inTransaction(database, () => {
        for (const [path, { stamp, places }] of stamps) sql.touch.run(stamp, places, path);
      });
    },
    setMeta(key: string, value: string | undefined) {
      if (value === undefined) sql.dropMeta.run(key);
      else sql.setMeta.run(key, value);
    },
    /** Joins the parts of the word index, which makes searches faster after a large build. */
    optimize: () => database.exec("INSERT INTO words (words) VALUES ('optimize')"),
  };
}

function joinTerms(text: string): string {
  return toTerms(text).join(' ');
}

function prepare(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT id, title FROM documents WHERE path = ?'),
    passages: database.prepare('SELECT id, headings, terms FROM passages WHERE document = ? ORDER BY id'),
    unindex: database.prepare("INSERT INTO words (words, rowid, title, headings, body) VALUES ('delete', ?, ?, ?, ?)"),
    removePassages: database.prepare('DELETE FROM passages WHERE document = ?'),
    removeDocument: database.prepare('DELETE FROM documents WHERE id = ?'),
    addDocument: database.prepare(
      `INSERT INTO documents (path, places, title, version, stamp, state, reason, passages, read_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addPassage: database.prepare(
      `INSERT INTO passages (document, start, "end", page, breadcrumb, headings, text, terms, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    index: database.prepare('INSERT INTO words (rowid, title, headings, body) VALUES (?, ?, ?, ?)'),
    touch: database.prepare('UPDATE documents SET stamp = ?, places = ? WHERE path = ?'),
    setMeta: database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'),
    dropMeta: database.prepare('DELETE FROM meta WHERE key = ?'),
  };
}

export function inTransaction(database: DatabaseSync, action: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    action();
    // Readers keep what they derived from the documents as long as this number stays.
    database.exec(`INSERT INTO meta VALUES ('revision', '1')
      ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
