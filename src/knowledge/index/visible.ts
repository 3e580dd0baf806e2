import type { DatabaseSync } from 'node:sqlite';
import type { VisibleTo } from '../../schema/knowledge/entry.ts';
import type { Groups } from '../knowledge.ts';

/** The value that a user must have to see a file at this place of the source; undefined = the file is for everyone. */
function audienceOf(place: string, visibleTo: VisibleTo): string | undefined {
  if (visibleTo === 'everyone') return undefined;
  const parts = place.split('/');
  const pattern = visibleTo.folder.split('/');
  // The last part is the file itself: a folder pattern needs at least one part more.
  if (parts.length <= pattern.length) return undefined;
  let value: string | undefined;
  for (const [at, wanted] of pattern.entries()) {
    const part = parts[at] as string;
    const [before = '', after] = wanted.split('{value}');
    if (after === undefined) {
      if (!isSame(part, wanted)) return undefined;
      continue;
    }
    const end = part.length - after.length;
    const fits = end > before.length && isSame(part.slice(0, before.length), before) && isSame(part.slice(end), after);
    if (!fits) return undefined;
    value = part.slice(before.length, end);
  }
  return value;
}

/** Letter case of folders is ignored: a file system may ignore it too, and then `Teams/` must be no way around. */
function isSame(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}

export type Visibility = ReturnType<typeof createVisibility>;

/**
 * Decides in the query which documents a user may see. The rule is that of this process, kept in a table of its own
 * connection, so a changed agent.yaml has effect at once. Call it inside the transaction of the search.
 */
export function createVisibility(database: DatabaseSync, visibleTo: VisibleTo) {
  let revision: unknown;
  if (visibleTo !== 'everyone')
    database.exec('CREATE TEMP TABLE audience (document INTEGER NOT NULL, value TEXT) STRICT');

  const refresh = () => {
    const now = database.prepare("SELECT value FROM meta WHERE key = 'revision'").get()?.value;
    if (now === revision) return;
    database.exec('DELETE FROM temp.audience');
    const add = database.prepare('INSERT INTO temp.audience (document, value) VALUES (?, ?)');
    for (const { id, places } of database.prepare('SELECT id, places FROM documents').all())
      for (const place of JSON.parse(String(places))) add.run(id as number, audienceOf(place, visibleTo) ?? null);
    revision = now;
  };

  return {
    /** A condition of SQL on the column `document`, with its parameter; undefined if the user sees everything. */
    condition(groups: Groups): { sql: string; parameter: string } | undefined {
      if (visibleTo === 'everyone' || groups === 'all') return undefined;
      refresh();
      const sql = `document IN (SELECT document FROM temp.audience EXCEPT SELECT a.document FROM temp.audience a
        WHERE a.value IS NOT NULL AND a.value NOT IN (SELECT value FROM json_each(?)))`;
      return { sql, parameter: JSON.stringify(groups.map((group) => group.normalize('NFC'))) };
    },
  };
}
