import { join } from 'node:path';
import { userFromId } from '../../src/identity/user.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent } from '../build.ts';

/** An agent whose documents are for groups, over a store that several servers share, as the parts of a runtime. */
export function openLedger(folder: string) {
  const data = join(folder, 'data');
  const entry = { source: './documents', watch: false, visible_to: { folder: 'teams/{value}' } };
  const agents = [{ ...buildAgent({ knowledge: { rules: entry } }), folder }];
  return {
    parts: { agents, folder: data, store: { ...createSqliteStore({ folder: data }), isShared: true } },
    user: userFromId('ann', { groups: ['hr'] }),
    request: { agent: 'helper', message: 'What is the salary of a crane driver?', idempotencyKey: 'once' },
  };
}
