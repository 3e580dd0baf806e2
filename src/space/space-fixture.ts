import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createSqlRunner, type SqlQuery, type SqlRunner } from './sql/sql-runner.ts';

export const ITEMS =
  'item,kind,units,price,zip\nBoots,Shoes,12,99.5,01234\nParka,Coats,0,180,00501\nTee,Tops,250,19.9,90210\n';

/** A folder with files, removed after the test. */
export function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-space-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs after the test; outside a test, at the end of the process. */
function whenOver(remove: () => void): void {
  try {
    onTestFinished(remove);
  } catch {
    process.once('exit', remove);
  }
}

/** A runner over a table named `items`; its processes end with the test. */
export function openRunner(csv = ITEMS): { runner: SqlRunner; folder: string } {
  const folder = folderWith({ 'items.csv': csv });
  const files = [{ name: 'items', path: join(folder, 'items.csv'), indexes: [] }];
  const runner = createSqlRunner({ space: 'test', folder: join(folder, 'databases'), files, clock: systemClock });
  onTestFinished(() => runner.close());
  return { runner, folder };
}

export const query = (sql: string, more: Partial<SqlQuery> = {}): SqlQuery => ({
  sql,
  parameters: {},
  maxRows: 100,
  timeoutMs: 20_000,
  ...more,
});
