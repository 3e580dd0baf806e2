import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../store-contract.ts';
import { createSqliteStore } from './sqlite-store.ts';

storeContract('SQLite', async ({ now }) => {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-store-'));
  return {
    open: async () => createSqliteStore({ folder, now }),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});
